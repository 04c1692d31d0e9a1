/** The folder that `lab scale` writes for prime-rl, read by prime-rl's own configuration classes and verifiers' task set. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lab } from '../../support/lab';
import { isNightly } from '../../support/nightly';

const root = mkdtempSync(join(tmpdir(), 'unmask-prime-'));
afterAll(() => rmSync(root, { recursive: true }));

const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });

/** Clones of the two repositories: prime-rl's at the commit that the folder names. */
const { PRIME_RL: prime, VERIFIERS: verifiers } = process.env;

test.runIf(isNightly)('prime-rl’s classes take the configuration, with the world as a source', (context) => {
  if (prime === undefined || verifiers === undefined) context.skip('PRIME_RL and VERIFIERS name no clones');
  if (python('-c', 'import pydantic, tomllib').status !== 0) context.skip('python3 lacks pydantic or tomllib');
  const folder = join(root, 'folder');
  expect(lab('scale', 'gridworld-tiny', '--arm', 'world-model', '--to', 'prime-rl', '--out', folder).status).toBe(0);
  const given = [prime, verifiers, join(folder, 'config.toml')] as string[];
  const { status, stdout, stderr } = python('test/cli/prime/config.py', ...given);
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    steps: 20,
    batch: [8, 4, 4],
    algo: { type: 'echo', roles: { user: { alpha: 0.1 } } },
    lr: 1e-6,
    tokens: 256,
    taskset: ['openenv', 'http://127.0.0.1:8010', [{ seed: 0 }, { seed: 1 }], 40],
    action: { text: 'I will go up.' },
  });
});
