/** The folder that `lab scale` writes for prime-rl, read by prime-rl's own configuration classes and verifiers' task set. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../support/folder';
import { lab, printed } from '../../support/lab';
import { isNightly } from '../../support/nightly';
import { python } from '../../support/python';

const at = sharedFolder();

/** Clones of the two repositories: prime-rl's at the commit that the folder names. */
const { PRIME_RL: prime, VERIFIERS: verifiers } = process.env;

test.runIf(isNightly)('prime-rl’s classes take the configuration, with the world as a source', (context) => {
  if (prime === undefined || verifiers === undefined) context.skip('PRIME_RL and VERIFIERS name no clones');
  if (python('-c', 'import pydantic, tomllib').status !== 0) context.skip('python3 lacks pydantic or tomllib');
  const folder = at('folder');
  expect(lab('scale', 'gridworld-tiny', '--arm', 'world-model', '--to', 'prime-rl', '--out', folder).status).toBe(0);
  const given = [prime, verifiers, join(folder, 'config.toml')] as string[];
  const stdout = printed(python('test/cli/prime/config.py', ...given));
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
