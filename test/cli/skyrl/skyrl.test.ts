/**
 * The folder that `lab scale` writes for SkyRL, by SkyRL's own configuration, data set, gym and generator: its world served and
 * played.
 */
import { expect, test } from 'vitest';
import { printed } from '../../support/lab';
import { isNightly } from '../../support/nightly';
import { hasModules, python } from '../../support/python';
import { servedFolders } from '../../support/scaleFolder';

const serve = servedFolders();

/** A clone of SkyRL's repository at the commit that the folder names. */
const clone = process.env.SKYRL;

test.runIf(isNightly)('SkyRL’s generator plays the world, and its checks take the arguments', async (context) => {
  if (clone === undefined) return context.skip('SKYRL names no clone of its repository');
  const modules = 'torch, transformers, datasets, omegaconf, ray, websockets, orjson, zstandard, cloudpathlib';
  if (!hasModules(modules)) context.skip(`python3 lacks one of ${modules}`);
  const { folder, model, url } = await serve('skyrl');
  const stdout = printed(python('test/cli/skyrl/play.py', clone, folder, model, url));
  const { prompt, said, shown, rewards, length, ...rest } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  expect(prompt).toMatch(/^<\|im_start\|>user\nGo to the goal\.[\s\S]*Legal now: up down left right\.\n\n\w\d \w\d/);
  expect(said).toMatch(/^up<\|im_end\|>I will go right\.<\|im_end\|>nowhere<\|im_end\|>/);
  expect(shown).toMatch(/^\n<\|im_start\|>user\n\w\d<\|im_end\|>\n<\|im_start\|>assistant\n/);
  expect(rewards).toBe(length);
  expect(rest).toEqual({ tasks: 40, steps: 20, optimizer: [1e-6, [0.9, 0.95]] });
});
