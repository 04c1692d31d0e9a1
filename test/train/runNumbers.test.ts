/** Numbers of the run that formulas read: their values by hand, in every copy of a state, and bit for bit after a resume. */
import { describe, expect, test } from 'vitest';
import { LAMBDA_FACTORS, scheduledPredictionText } from '../../src/experiment/arm/formulaTexts';
import type { OwnLoss } from '../../src/experiment/arm/ownLosses';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import { RunningSuccess } from '../../src/rl/play/runningSuccess';
import { TrainerPool } from '../../src/train/pool/pool';
import type { Trainer } from '../../src/train/population/trainer';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { startHere } from '../support/poolHere';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const worldModel = tiny.arms.find(({ id }) => id === 'world-model') as Arm;
const NOWHERE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const UPDATES = 5;

const predicting = (id: string, text: string): Arm => {
  const loss: OwnLoss = { name: 'mine', text, place: 'predict', on: NOWHERE, values: {} };
  return { ...worldModel, id, name: id, losses: [loss] };
};

const experiment: Experiment = parseExperiment({
  ...tiny,
  seeds: 2,
  batch: { groups: 4, groupSize: 4 },
  arms: [
    predicting('run', 'loss = -logp * (1 - success_rate)\nshow rate = success_rate\nshow now = update'),
    predicting('off', 'loss = -logp if update < 2 else 0'),
    { ...worldModel, id: 'step', worldModelSchedule: 'step', worldModelScheduleStart: 2, worldModelFinalScale: 0 },
  ],
});

async function trainer(of: Experiment = experiment): Promise<Trainer> {
  const made = await cpuTrainer(of);
  return made;
}

const at = (metrics: Float64Array, member: number, name: MetricName): number =>
  metrics[member * METRICS.length + METRIC[name]] as number;

test('the running rate is an exponential mean that begins with the first update', () => {
  const success = new RunningSuccess(2);
  expect(success.rates).toEqual([0, 0]);
  success.note(0, [0.5, 0]);
  success.note(1, [1, 1]);
  expect(success.rates).toEqual([0.5 + 0.1 * 0.5, 0.1]);
  const again = new RunningSuccess(2);
  again.restore(success.rates);
  again.note(2, [0, 1]);
  expect(again.rates[0]).toBeCloseTo(0.9 * 0.55, 12);
  again.restore([]);
  expect(again.rates).toEqual([0, 0]);
});

describe('in training', async () => {
  const whole = await trainer();
  const metrics = await metricsOf(whole, UPDATES);

  test('a formula reads the update, and the rate before it, each seed its own', () => {
    for (const member of [0, 1]) {
      const by = new RunningSuccess(1);
      metrics.forEach((of, update) => {
        expect(at(of, member, 'shown2')).toBe(update);
        expect(at(of, member, 'shown1')).toBeCloseTo(by.rates[0] as number, 6);
        by.note(update, [at(of, member, 'successRate')]);
      });
      expect(by.rates[0]).toBeGreaterThan(0);
    }
    expect(at(metrics.at(-1) as Float64Array, 0, 'shown1')).not.toBe(at(metrics.at(-1) as Float64Array, 1, 'shown1'));
  });

  test('a factor by update does what the schedule of λ does', async () => {
    const { tensors } = await whole.snapshot();
    const N = whole.layout.size;
    const [off, step] = [2, 4].map((p) => tensors.parameters.slice(p * N, (p + 1) * N));
    const difference = Math.max(...Array.from(off as Float32Array, (value, i) => Math.abs(value - (step?.[i] ?? 0))));
    expect(difference).toBeLessThan(2e-4);
    expect(at(metrics[1] as Float64Array, 2, 'formulaLoss')).toBeGreaterThan(0);
    expect(at(metrics[2] as Float64Array, 2, 'formulaLoss')).toBe(0);
  });

  test('is the same bit for bit on Workers, and from a checkpoint in the middle', async () => {
    const pool = new TrainerPool(experiment, { workers: 2, start: startHere });
    await pool.prepare();
    expect(await metricsOf(pool, 3)).toEqual(metrics.slice(0, 3));
    const snapshot = await pool.snapshot();
    pool.dispose();
    const curves = new Float32Array(3 * snapshot.members.length * METRICS.length);
    const saved = { snapshot, experiment: {}, backend: 'cpu', machines: [], curves, tokens: 0 } as const;
    const resumed = await trainer();
    await resumed.restore(decodeCheckpoint(encodeCheckpoint(saved)).snapshot);
    expect(await metricsOf(resumed, 2)).toEqual(metrics.slice(3));
  });
});

test('λ by success and by update: the ready texts weigh the arm’s own form', () => {
  for (const by of ['success', 'update'] as const) {
    const arm = { ...worldModel, worldModelForm: 'probability-threshold', worldModelThreshold: 0.3 } as const;
    const text = scheduledPredictionText(arm, by);
    expect(text).toContain('loss = factor * (max(0, threshold - exp(logp)))');
    expect(text).toContain(LAMBDA_FACTORS[by].lines.join('\n'));
    expect(parseExperiment({ ...experiment, arms: [predicting('one', text)] }).arms).toHaveLength(1);
  }
});
