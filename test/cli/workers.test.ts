/** The CPU backend in real threads: the same numbers with any number of threads, and an error if one ends by itself. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { firstPreset } from '../../src/experiment/presets/presets';
import { threadPool } from '../../src/node/poolThread';
import { TrainerPool } from '../../src/train/pool/pool';
import { testFolder } from '../support/folder';

const TIMEOUT = 240_000;

function run(...options: string[]): { result: Record<string, unknown>; stderr: string } {
  const command = ['scripts/run.mjs', 'src/cli/main.ts', 'run', ...options, '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', timeout: TIMEOUT });
  expect(status, stderr).toBe(0);
  return { result: { ...JSON.parse(stdout), wallSeconds: 0 }, stderr };
}

describe('lab run --workers', () => {
  const tiny = ['gridworld-tiny', '--backend', 'cpu', '--updates', '6'];

  test('gives the same result, but for times, from any number of threads', { timeout: TIMEOUT }, () => {
    const one = run(...tiny, '--workers', '1');
    expect(one.stderr).toContain('one thread');
    for (const workers of ['2', '3']) {
      const { result, stderr } = run(...tiny, '--workers', workers);
      expect(stderr).toContain(`CPU (WebAssembly SIMD, ${workers} workers)`);
      expect(result).toEqual(one.result);
    }
  });

  test('continues on one thread what two began', { timeout: TIMEOUT }, () => {
    const folder = testFolder()();
    run('gridworld-tiny', '--backend', 'cpu', '--updates', '3', '--workers', '2', '--out', folder);
    const { result } = run('--resume', folder, '--backend', 'cpu', '--updates', '6', '--workers', '1');
    expect(result).toEqual(run(...tiny).result);
  });
});

test.each([
  ['exits', 'process.exit(3)', 'exit code 3'],
  ['throws', 'throw new Error("no luck")', 'no luck'],
  [
    'exits when asked',
    'import("node:worker_threads").then((t) => t.parentPort.on("message", () => process.exit()))',
    '',
  ],
])('a thread that %s is an error, not a wait', async (_, source, why) => {
  const { workers, start } = threadPool(2, 2, new URL(`data:text/javascript,${encodeURIComponent(source)}`));
  const pool = new TrainerPool(firstPreset.experiment, { workers, start });
  await expect(pool.prepare()).rejects.toMatchObject({ code: 'device-lost', message: expect.stringContaining(why) });
  expect(await pool.lost).toMatchObject({ code: 'device-lost' });
});
