/** Health of a run in the words of the command line, from its result. */
import { expect, test } from 'vitest';
import { healthLines } from '../../src/cli/run/health';
import { findPreset, type Preset } from '../../src/experiment/presets/presets';
import { METRICS, type MetricName } from '../../src/rl/measure/metrics';
import type { RunResult } from '../../src/train/result/result';

const UPDATES = 30;

type Seed = RunResult['arms'][number]['seeds'][number];

/** Seed whose cross-entropy is 4 nats for ten updates, then as given; other metrics are undefined. */
function seedOf(seed: number, crossEntropy: number): Seed {
  const update = Array.from({ length: UPDATES }, (_, i) => i);
  const values = (metric: MetricName) =>
    update.map((i) => (metric !== 'observationCrossEntropy' ? null : i < 10 ? 4 : crossEntropy));
  const curves = Object.fromEntries(METRICS.map((metric) => [metric, values(metric)]));
  return { seed, curve: { update, ...curves } as Seed['curve'], evaluation: null, nonFinite: null };
}

test('each light that is not fine has its line, with the value of every seed', () => {
  const { experiment } = findPreset('failure-mask-leak') as Preset;
  const none = { mean: null, low: null, high: null };
  const summary = { final: none, auc: none, updatesTo: {} };
  const arms = [
    { id: 'no-mask', name: 'No mask', summary, seeds: [seedOf(0, 20), seedOf(1, 40)] },
    { id: 'action-mask', name: 'Action mask', summary, seeds: [seedOf(0, 4.5), seedOf(1, 9)] },
  ];
  // The vocabulary has 48 words: ln V = 3.87.
  expect(healthLines({ experiment, arms })).toEqual([
    'no-mask: surprise explosion failing in 2 of 2 seeds (5.17 10.33)',
    'action-mask: surprise explosion warning in 1 of 2 seeds (1.16 2.32)',
  ]);
});
