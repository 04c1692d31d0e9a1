import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readExperiment } from '../../src/cli/experimentArgument';
import { lossSettings } from '../../src/cli/loss/lossFiles';
import { sharedFolder } from '../support/folder';

const at = sharedFolder();

function file(name: string, text: string): string {
  const path = at(name);
  writeFileSync(path, text);
  return path;
}

test('a file becomes a loss of an arm, called by its name', async () => {
  const text = 'param k = 2 in [1, 3]\nloss = -k * A * logp';
  const sets = await lossSettings([
    `action-mask=${file('My Idea.loss', text)}`,
    `world-model:predict=${file('ce.loss', 'loss = -logp')}`,
    `world-model:added=${file('bonus.txt', 'loss = -entropy')}`,
  ]);
  const { arms } = await readExperiment('gridworld-tiny', [...sets, 'arms.action-mask.loss.my-idea.k=1.5']);
  const losses = Object.fromEntries(arms.map((arm) => [arm.id, arm.losses]));
  expect(losses['action-mask']).toMatchObject([{ name: 'my-idea', text, place: 'policy', values: { k: 1.5 } }]);
  expect(losses['world-model']).toMatchObject([
    { name: 'ce', place: 'predict' },
    { name: 'bonus', place: 'added', on: { action: 1, observation: 0 } },
  ]);
});

test.each([
  ['action-mask', 'Write --loss arm=FILE'],
  ['action-mask:beside=x', 'policy, predict, added'],
  ['action-mask=/nowhere/x.loss', 'cannot be read'],
])('%s is refused', async (loss, words) => {
  await expect(lossSettings([loss])).rejects.toThrow(words);
});

test('a mistake is told with file, line and column', async () => {
  const path = file('wrong.loss', '# mine\nloss = logprob');
  await expect(lossSettings([`action-mask=${path}`])).rejects.toThrow(`${path}:2:8`);
});
