/** `lab run` in a process short of memory: the same result with a smaller plan, reported on stderr and in the JSON. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { codeHere } from '../../src/experiment/provenance';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';

const TIMEOUT = 240_000;
const BATCH = { groups: 4, groupSize: 8 };

/** Script, loaded before the lab, that limits the growth of WebAssembly memory. */
const limited = (bytes: number): string => `
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > ${bytes}) throw new RangeError('Unable to grow instance memory');
    return grow.call(this, pages);
  };`;

function run(preload: string): { result: Record<string, unknown>; stderr: string } {
  const batch = Object.entries(BATCH).flatMap(([name, value]) => ['--set', `batch.${name}=${value}`]);
  const options = ['gridworld-tiny', '--backend', 'cpu', '--workers', '1', '--updates', '3', '--json', ...batch];
  const command = ['scripts/run.mjs', 'src/cli/main.ts', 'run', ...options];
  const imported = `data:text/javascript,${encodeURIComponent(preload)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', imported, ...command], {
    encoding: 'utf8',
    timeout: TIMEOUT,
  });
  expect(status, stderr).toBe(0);
  return { result: { ...JSON.parse(stdout), wallSeconds: 0 }, stderr };
}

test('a run without memory enough says so and gives the same numbers', { timeout: TIMEOUT }, async () => {
  const backend = await createCpuBackend();
  const preset = findPreset('gridworld-tiny')?.experiment;
  new Trainer(backend, parseExperiment({ ...preset, batch: BATCH }));
  const usual = run('');
  expect(usual.stderr).not.toContain('memory');
  const short = run(limited(0.9 * backend.allocatedBytes));
  expect(short.stderr).toContain('each batch is cut into 2 parts');
  expect(short.result).toEqual({
    ...usual.result,
    machines: [{ update: 0, backend: 'cpu', parts: 2, code: expect.objectContaining(codeHere('cpu')) }],
  });
  expect(usual.result.machines).toEqual([
    { update: 0, backend: 'cpu', code: expect.objectContaining(codeHere('cpu')) },
  ]);
});
