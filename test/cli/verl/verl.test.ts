/** The folder that `lab scale` writes for verl, by verl's own classes and functions: its world served, its agent loop played. */
import { expect, test } from 'vitest';
import { printed } from '../../support/lab';
import { isNightly } from '../../support/nightly';
import { hasModules, python } from '../../support/python';
import { servedFolders } from '../../support/scaleFolder';

const serve = servedFolders();

/** A clone of verl's repository at the commit that the folder names. */
const clone = process.env.VERL;

test.runIf(isNightly)('verl’s agent loop plays the world and marks what it shows', async (context) => {
  if (clone === undefined) return context.skip('VERL names no clone of its repository');
  const modules = 'torch, transformers, yaml, pydantic, websockets';
  if (!hasModules(modules)) context.skip(`python3 lacks one of ${modules}`);
  const { folder, model, url } = await serve('verl');
  const stdout = printed(python('test/cli/verl/play.py', clone, folder, model, url));
  const { prompt, said, shown, loss, keys, ...rest } = JSON.parse(stdout);
  expect(prompt).toMatch(
    /^<\|im_start\|>user\nGo to the goal\.[\s\S]*Legal now: up down left right\.\n\n\w\d \w\d<\|im_end\|>/,
  );
  expect(said).toMatch(/^up<\|im_end\|>I will go right\.<\|im_end\|>nowhere<\|im_end\|>down/);
  // Names of cells; of the warning and the template nothing.
  expect(shown).toMatch(/^(\w\d)+$/);
  expect(rest).toEqual({
    overlap: 0,
    sampled: true,
    reward: expect.any(Number),
    turns: expect.any(Number),
    steps: { min_global_steps: 2, max_global_steps: 4 },
    unknown: [],
  });
  expect(loss[0]).toBeCloseTo(loss[1], 5);
  expect(keys).toBeGreaterThan(40);
});
