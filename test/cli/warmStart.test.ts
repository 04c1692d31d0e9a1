/** Readings of a warm start in a result: by arm and seed, where the arm has one, and as JSON in pieces too. */
import { expect, test } from 'vitest';
import { resultPieces } from '../../src/cli/run/resultText';
import { type Experiment, withArmSetting } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import { WARM_START_METRICS, type WarmStartReading } from '../../src/rl/measure/warmStartReadings';
import { membersOf } from '../../src/rl/population';
import { buildResult } from '../../src/train/result/result';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Experiment };
const [mask, ...others] = experiment.arms;
const arms = [withArmSetting(mask as Experiment['arms'][number], 'warmStart', 'actions'), ...others];
const members = membersOf(arms, [0, 1]);
const curves = new Float32Array(members.length * METRICS.length);
const about = { backend: 'cpu', adapter: 'CPU', machines: [], wallSeconds: 1, tokens: 9 };

const reading = (step: number): WarmStartReading => ({
  step,
  members: members.map((_, p) => WARM_START_METRICS.map((_, i) => (i === 3 ? null : step + p + i / 10))),
});
const resultOf = (warmStart: readonly WarmStartReading[]) =>
  buildResult({ experiment: { ...experiment, arms }, ...about, warmStart }, members, curves);

test('each seed of an arm that was warmed up has its own', async () => {
  const result = resultOf([reading(0), reading(10)]);
  const [first, second] = result.arms;
  expect(first?.seeds[1]?.warmStart).toEqual({
    step: [0, 10],
    passAt1: [1, 11],
    passAt16: [1.1, 11.1],
    entropy: [1.2, 11.2],
    kl: [null, null],
    observationCrossEntropy: [1.4, 11.4],
    gradientRatio: [1.5, 11.5],
    gradientCosine: [1.6, 11.6],
  });
  expect(second?.seeds[0]).not.toHaveProperty('warmStart');
  expect(result).not.toHaveProperty('warmStart');
  const pieces: string[] = [];
  for await (const piece of resultPieces(result)) pieces.push(piece);
  expect(pieces.join('')).toBe(JSON.stringify(result));
});

test('without readings a result is as it was', () => {
  expect(resultOf([]).arms[0]?.seeds[0]).not.toHaveProperty('warmStart');
});
