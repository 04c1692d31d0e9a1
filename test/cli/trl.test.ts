/** The folder that `lab scale` writes for TRL trains for real: its world served, a tiny random model, TRL on the CPU. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isNightly } from '../support/nightly';
import { hasModules } from '../support/python';
import { servedFolders } from '../support/scaleFolder';

const served = servedFolders();

test.runIf(isNightly)('an arm’s loss on observations falls where TRL trains', async (context) => {
  if (!hasModules('trl, websockets')) context.skip('python3 has no trl or websockets here');
  // What a random model says is seldom a move, so warnings are predicted too.
  const { folder, model, url } = await served('trl', '--set', 'arms.world-model.ce.warning=0.1');
  const words = ['--longest-answer', '6', '--steps', '12', '--learning-rate', '0.01', '--world', url];
  const { status, stdout, stderr } = spawnSync('python3', ['train.py', model, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const logged = [
    ...`${stdout}${stderr}`.matchAll(/'loss': '([-\d.e]+)'.*?'entropy': '([\d.]+)'.*?'prediction': '([\d.]+)'/g),
  ];
  const [losses, entropies, predictions] = [1, 2, 3].map((at) => logged.map((match) => Number(match[at])));
  // At random a byte is ln 259 = 5.56 nats; the few that name rooms are soon known. docs/scale.md tells both numbers.
  const told = /falls from ([\d.]+) to ([\d.]+) nats/.exec(readFileSync('docs/scale.md', 'utf8')) ?? [];
  expect(predictions?.[0]).toBeCloseTo(Number(told[1]), 1);
  expect(predictions?.[11]).toBeCloseTo(Number(told[2]), 0);
  // No episode succeeds yet, so the loss is λ · prediction − the entropy bonus.
  const first = 0.1 * (predictions?.[0] ?? 0) - 0.01 * (entropies?.[0] ?? 0);
  expect(losses?.[0]).toBeCloseTo(first, 2);
});
