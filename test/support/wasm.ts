// Vitest's global setup of the unit and kernel projects: compiles the CPU backend's kernels before any test imports them, and
// gives the runs of the command line that name no folder one that is removed at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWasm } from '../../scripts/wasm.mjs';

export async function setup(): Promise<() => void> {
  await buildWasm();
  const runs = mkdtempSync(join(tmpdir(), 'unmask-runs-'));
  process.env.UNMASK_RUNS = runs;
  return () => rmSync(runs, { recursive: true, force: true });
}
