/** Worlds of so many words that no logits are stored: losses that need all logits are refused, whenever they come. */
import { expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { combinationProblems } from '../../src/experiment/combinations';
import type { Experiment } from '../../src/experiment/experiment';
import { firstPreset } from '../../src/experiment/presets/presets';

const { experiment } = firstPreset;
const arm = experiment.arms[0] ?? expect.fail();
const worldOf = (words: number) =>
  ({ words: ['<pad>', '<bos>', ...Array.from({ length: words }, (_, word) => `w${word}`)] }) as unknown as Environment;
const problems = (change: Partial<Experiment>, words: number) =>
  combinationProblems({ ...experiment, ...change }, worldOf(words)).filter(({ message }) => message.includes('logit'));

test.each([
  ['advantageBaseline', 'optimal-token'],
  ['distillation', 0.5],
  ['placebo', true],
] as const)('%s %j', (setting, value) => {
  const [first, ...rest] = experiment.arms;
  const arms = [{ ...(first ?? expect.fail()), [setting]: value }, ...rest];
  expect(problems({ arms }, 8000)).toEqual([]);
  expect(problems({ arms }, 9000)).toMatchObject([{ path: `arms.${arm.id}.${setting}` }]);
  const timeline = [{ update: 3, arm: arm.id, setting, value }];
  // A placebo cannot begin while it trains.
  expect(problems({ timeline }, 9000)).toHaveLength(setting === 'placebo' ? 0 : 1);
  expect(problems({}, 9000)).toEqual([]);
});
