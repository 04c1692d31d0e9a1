/**
 * The folder that `lab scale` writes for OpenRLHF, by OpenRLHF's own parser, loader and base of agents: its world served and
 * played.
 */
import { expect, test } from 'vitest';
import { printed } from '../../support/lab';
import { isNightly } from '../../support/nightly';
import { hasModules, python } from '../../support/python';
import { servedFolders } from '../../support/scaleFolder';

const serve = servedFolders();

/** A clone of OpenRLHF's repository at the commit that the folder names. */
const clone = process.env.OPENRLHF;

test.runIf(isNightly)('OpenRLHF’s loader takes the agent, and its parser the arguments', async (context) => {
  if (clone === undefined) return context.skip('OPENRLHF names no clone of its repository');
  if (!hasModules('transformers, websockets')) context.skip('python3 has no transformers or websockets here');
  const { folder, model, url } = await serve('openrlhf');
  const stdout = printed(python('test/cli/openrlhf/play.py', clone, folder, model, url));
  const { between, turns, ...rest } = JSON.parse(stdout);
  expect(between).toMatch(/^\n<\|im_start\|>user\n\w\d<\|im_end\|>\n<\|im_start\|>assistant\n$/);
  expect(turns).toBeGreaterThan(2);
  expect(rest).toEqual({
    arguments: {
      'actor.adam.betas': [0.9, 0.95],
      'actor.eps_clip_low_high': [0.2, 0.2],
      'rollout.batch_size': 2,
      'train.colocate_all': true,
      'algo.advantage.estimator': 'group_norm',
    },
    said: ['up<|im_end|>', 'I will go right.<|im_end|>', 'nowhere<|im_end|>'],
    first: '<|im_start|>user\nGo to the goal. The gri',
    sampled: true,
    lengths: true,
    reward: expect.any(Number),
  });
});
