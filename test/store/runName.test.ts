/** Names that kept runs get by themselves. */
import { expect, test } from 'vitest';
import { firstPreset } from '../../src/experiment/presets/presets';
import { runName } from '../../src/store/keep/runName';

const { experiment } = firstPreset;
const [first, second, third] = experiment.arms;
const with_ = (...arms: typeof experiment.arms) => ({ ...experiment, arms });
if (first === undefined || second === undefined || third === undefined) throw new Error('three arms');

test('a run’s name is its difference from the one before it', () => {
  const weaker = { ...second, ce: { ...second.ce, observation: 0.02 } };
  expect(runName(null, experiment)).toBe(experiment.title);
  expect(runName(experiment, { ...experiment, seeds: 8 })).toBe('Seeds 4 → 8');
  expect(runName(experiment, with_(first, weaker, third))).toBe('Prediction weight λ 0.1 → 0.02 in World model');
  const faster = experiment.arms.map((arm) => ({ ...arm, learningRate: 0.01 }));
  expect(runName(experiment, with_(...faster))).toBe('Learning rate 0.001 → 0.01 in all arms');
  expect(runName(experiment, { ...experiment, title: 'Sweep of λ', seeds: 8 })).toBe('Sweep of λ');
  const many = { ...experiment, seeds: 8, seed: 3, updates: 10 };
  expect(runName(experiment, many)).toMatch(/^Experiment seed 0 → 3; Seeds 4 → 8; and 1 more$/);
});
