/**
 * The warm start: demonstrations teach only the chosen tokens, arms of a seed share them, and the bits are the same on
 * any number of Workers and with any interruption.
 */
import { describe, expect, it } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { tokensInStep } from '../../src/rl/learn/imitation';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { CPU_LIMITS } from '../../src/tensor/cpu/limits';
import { TrainerPool } from '../../src/train/pool/pool';
import { Trainer } from '../../src/train/population/trainer';
import type { Snapshot, STATE_TENSORS, Training } from '../../src/train/population/training';
import { openTraining } from '../../src/train/run/choose/opening';
import { availableBackends } from '../support/backends';
import { startHere } from '../support/poolHere';
import { armOf, cpuTrainer } from '../support/trained';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const CHOICES = ['none', 'actions', 'actions-and-observations', 'observations'] as const;

/** Experiment with one arm for each choice, on a grid that is small enough to be learned in moments. */
const experiment: Experiment = {
  ...preset,
  seeds: 1,
  environment: { id: 'gridworld', settings: { ...preset.environment.settings, size: 3, minimumDistance: 1 } },
  policy: { ...preset.policy, width: 32, heads: 2 },
  batch: { groups: 8, groupSize: 8 },
  arms: CHOICES.map((choice) => armOf(choice)),
  warmStart: { ...preset.warmStart, updates: 150, learningRate: 3e-3 },
};
const short = { ...experiment, warmStart: { ...experiment.warmStart, updates: 4 } };

const metricsOf = async (training: Training): Promise<Float64Array> => (await training.runUpdate()).metrics;
const metric = (values: Float64Array, arm: number, name: keyof typeof METRIC): number =>
  values[arm * METRICS.length + METRIC[name]] as number;

/** Rows of member p in a tensor of the snapshot. */
function rows(snapshot: Snapshot, name: (typeof STATE_TENSORS)[number], p: number): number[] {
  const values = snapshot.tensors[name];
  const stride = values.length / snapshot.members.length;
  return Array.from(values.slice(p * stride, (p + 1) * stride));
}

describe('a warm start', () => {
  it('teaches acting and predicting, each only where its tokens are trained on', async () => {
    const values = await metricsOf(await cpuTrainer(experiment));
    const [none, actions, both, observations] = CHOICES.map((_, arm) => ({
      success: metric(values, arm, 'successRate'),
      surprise: metric(values, arm, 'observationCrossEntropy'),
      kl: metric(values, arm, 'kl'),
    }));
    if (!none || !actions || !both || !observations) throw new Error('an arm is missing');
    expect(actions.success).toBeGreaterThanOrEqual(0.9);
    expect(both.success).toBeGreaterThanOrEqual(0.9);
    expect(observations.success).toBeLessThan(0.8);
    expect(none.success).toBeLessThan(0.8);
    expect(both.surprise).toBeLessThan(0.5);
    // This arm has learned what the expert sees, and acts at random: it is surprised, but less than the untrained arm.
    expect(observations.surprise).toBeLessThan(0.75 * none.surprise);
    expect(none.surprise).toBeGreaterThan(2);
    expect(actions.surprise).toBeGreaterThan(2);
    // The reference is the policy after the warm start.
    for (const arm of [none, actions, both, observations]) expect(Math.abs(arm.kl)).toBeLessThan(1e-6);
  });

  it('leaves arms without one as they were, and the optimiser of all at its beginning', async () => {
    const trainer = await cpuTrainer(short);
    const before = await (await cpuTrainer({ ...short, arms: [armOf('none')] })).snapshot();
    const after = await trainer.snapshot();
    expect(after.update).toBe(0);
    expect(rows(after, 'parameters', 0)).toEqual(rows(before, 'parameters', 0));
    for (let p = 1; p < CHOICES.length; p++) {
      expect(rows(after, 'parameters', p)).not.toEqual(rows(before, 'parameters', 0));
    }
    for (const name of ['firstMoment', 'secondMoment', 'step'] as const) {
      expect(after.tensors[name].every((value) => value === 0)).toBe(true);
    }
    expect(after.tensors.reference).toEqual(after.tensors.parameters);
  });

  it('is shared by all arms of a seed that made the same choice, whatever else they are', async () => {
    const other = armOf('actions', { id: 'other', learningRate: 0.1, weightDecay: 1, surrogate: 'gmpo', beta1: 0.5 });
    const arms = [armOf('actions'), other];
    const snapshot = await (await cpuTrainer({ ...short, arms, seeds: 2 })).snapshot();
    expect(rows(snapshot, 'parameters', 2)).toEqual(rows(snapshot, 'parameters', 0));
    expect(rows(snapshot, 'parameters', 3)).toEqual(rows(snapshot, 'parameters', 1));
    expect(rows(snapshot, 'parameters', 1)).not.toEqual(rows(snapshot, 'parameters', 0));
  });

  it('says how far it is, and is finished by whoever asks for an update first', async () => {
    const trainer = await cpuTrainer(short);
    expect(await trainer.warmUp()).toMatchObject({ done: 1, total: 4 });
    expect(await trainer.warmUp()).toMatchObject({ done: 2, total: 4 });
    const metrics = await metricsOf(trainer);
    expect(await trainer.warmUp()).toMatchObject({ done: 4, total: 4 });
    expect(metrics).toEqual(await metricsOf(await cpuTrainer(short)));
  });

  it('has the same numbers on Workers, and after an interruption', async () => {
    const alone = await cpuTrainer(short);
    const first = await metricsOf(alone);
    const begun = await alone.snapshot();
    const second = await metricsOf(alone);
    const told: string[] = [];
    const { training: pool } = await openTraining(short, {
      choose: async () => ({
        kind: 'cpu',
        adapter: '',
        description: '',
        software: false,
        reason: '',
        limits: CPU_LIMITS,
        workers: 2,
        train: (what, options) => new TrainerPool(what, { ...options, workers: 2, start: startHere }),
        release() {},
      }),
      snapshot: null,
      detail: (text) => told.push(text),
    });
    expect(told).toContain('warm start, 3 of 4 supervised updates');
    expect(await pool.warmUp()).toMatchObject({ done: 4, total: 4 });
    expect(await metricsOf(pool)).toEqual(first);
    expect(await metricsOf(pool)).toEqual(second);
    pool.dispose();
    const resumed = await cpuTrainer(short);
    await resumed.restore(begun);
    expect(await resumed.warmUp()).toMatchObject({ done: 4, total: 4 });
    expect(await metricsOf(resumed)).toEqual(second);
  });

  it('learns from another number, kind and batch of demonstrations otherwise', async () => {
    const parameters = async (changes: Partial<Experiment['warmStart']>): Promise<number[]> => {
      const what = { ...short, arms: [armOf('actions')], warmStart: { ...short.warmStart, ...changes } };
      return rows(await (await cpuTrainer(what)).snapshot(), 'parameters', 0);
    };
    const seen = [
      await parameters({}),
      await parameters({ demonstrations: 3 }),
      await parameters({ batch: 5 }),
      await parameters({ source: 'random' }),
      await parameters({ noisy: 0.7, noise: 0.5 }),
    ];
    expect(new Set(seen.map((values) => values.join())).size).toBe(seen.length);
    // As many demonstrations as four steps of a whole batch use: none comes twice.
    expect(await parameters({ demonstrations: 4 * 64 })).toEqual(seen[0]);
    expect(seen.flat().every(Number.isFinite)).toBe(true);
  });
});

describe('observations, then actions', () => {
  const inTurn = (share: number, updates = 4) => ({
    ...short,
    arms: [armOf('observations-then-actions')],
    warmStart: { ...short.warmStart, updates, observationShare: share },
  });
  const kindsOf = (share: number, updates: number) =>
    Array.from({ length: updates }, (_, step) =>
      tokensInStep('observations-then-actions', step, inTurn(share, updates).warmStart),
    );

  it('turns from one to the other at its share of the steps', () => {
    expect(kindsOf(0.5, 4)).toEqual(['observations', 'observations', 'actions', 'actions']);
    expect(kindsOf(0.3, 3)).toEqual(['observations', 'actions', 'actions']);
    expect(tokensInStep('none', 0, short.warmStart)).toBe('none');
  });

  it('is the one or the other alone, bit for bit, where it has no step of the other, and neither between', async () => {
    const parameters = async (what: Experiment): Promise<number[]> =>
      rows(await (await cpuTrainer(what)).snapshot(), 'parameters', 0);
    const [first, second] = await Promise.all([
      parameters({ ...short, arms: [armOf('observations')] }),
      parameters({ ...short, arms: [armOf('actions')] }),
    ]);
    expect(await parameters(inTurn(1))).toEqual(first);
    expect(await parameters(inTurn(0))).toEqual(second);
    const between = await parameters(inTurn(0.5));
    expect(between).not.toEqual(first);
    expect(between).not.toEqual(second);
  });
});

describe.each(availableBackends)('a warm start on $name', ({ create }) => {
  // Software WebGPU compiles all kernels for the first test that needs them.
  it('gives the same bits twice', async () => {
    const once = async (): Promise<Snapshot> => {
      const small = { ...preset, seeds: 1, arms: short.arms, warmStart: { ...short.warmStart, updates: 2 } };
      const trainer = new Trainer(await create(), small);
      await trainer.prepare();
      await trainer.runUpdate();
      return trainer.snapshot();
    };
    expect(await once()).toEqual(await once());
  });
});
