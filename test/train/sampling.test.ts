/**
 * Settings of sampling have their effect: dynamic sampling replaces groups of equal rewards while there are others,
 * stages cut episodes short, a stale policy is an earlier one, and demonstrations replace an arm's own episodes. Each
 * continues bit for bit from a snapshot.
 */
import { describe, expect, it } from 'vitest';
import { type Arm, type Change, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import type { Trainer } from '../../src/train/population/trainer';
import type { Snapshot } from '../../src/train/population/training';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { cpuTrainer, curveOf, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const armOf = (id: string, more: Partial<Arm> = {}): Arm => ({ ...defaultArm(id, id), ...more });
const experimentOf = (arms: Arm[], more: Partial<Experiment> = {}): Experiment => ({
  ...tiny,
  seeds: 1,
  diagnosticsEvery: 1,
  batch: { groups: 8, groupSize: 4 },
  environment: { id: 'gridworld', settings: { ...tiny.environment.settings, size: 3, horizon: 5, minimumDistance: 1 } },
  arms,
  ...more,
});

async function trainerOf(experiment: Experiment, snapshot?: Snapshot): Promise<Trainer> {
  const trainer = await cpuTrainer(experiment);
  if (snapshot !== undefined) await trainer.restore(snapshot);
  return trainer;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('dynamic sampling', () => {
  it('plays other candidates in place of groups without a difference, and counts them', async () => {
    const arms = [armOf('keeps', { learningRate: 0 }), armOf('replaces', { learningRate: 0, resampling: 4 })];
    const trainer = await trainerOf(experimentOf(arms));
    const rows = await metricsOf(trainer, 6);
    expect(mean(curveOf(rows, 0, 'zeroVarianceGroups'))).toBeGreaterThan(0.25);
    expect(mean(curveOf(rows, 1, 'zeroVarianceGroups'))).toBeLessThan(
      0.3 * mean(curveOf(rows, 0, 'zeroVarianceGroups')),
    );
    expect(curveOf(rows, 0, 'tasksConsumed')).toEqual([8, 8, 8, 8, 8, 8]);
    // Groups given up in the first round are consumed too.
    for (const [i, consumed] of curveOf(rows, 1, 'tasksConsumed').entries()) {
      expect(consumed).toBeGreaterThanOrEqual(8 + 8 * (curveOf(rows, 0, 'zeroVarianceGroups')[i] as number));
    }
  });

  it('leaves groups with a difference as they were', async () => {
    const arms = [armOf('keeps', { learningRate: 0 }), armOf('replaces', { learningRate: 0, resampling: 1 })];
    const trainer = await trainerOf(experimentOf(arms));
    const { episodes } = await trainer.runUpdate({ seed: 0, group: 0 });
    let kept = 0;
    for (let group = 0; group < 8; group++) {
      const again = await trainerOf(experimentOf(arms));
      const [own, other] = (await (await again.runUpdate({ seed: 0, group })).episodes) ?? [];
      if (own?.tokens.join() === other?.tokens.join()) kept++;
    }
    expect((await episodes)?.length).toBe(2);
    expect(kept).toBeGreaterThan(2);
    expect(kept).toBeLessThan(8);
  });
});

describe('the choice of tasks', () => {
  it('finds those solved now and then, and brings back those never solved', async () => {
    // Nothing is learned, so only the choice of tasks can make a difference.
    const still = { learningRate: 0 };
    const arms = [
      armOf('drawn', still),
      armOf('half', { ...still, taskChoice: 'near-half', candidates: 8 }),
      armOf('again', { ...still, taskChoice: 'failed-again', failedShare: 1 }),
    ];
    const rows = (await metricsOf(await trainerOf(experimentOf(arms)), 40)).slice(20);
    const [drawn, half, again] = [0, 1, 2].map((member) => mean(curveOf(rows, member, 'mixedGroups'))) as [
      number,
      number,
      number,
    ];
    expect(half).toBeGreaterThan(drawn + 0.1);
    expect(mean(curveOf(rows, 2, 'successRate'))).toBeLessThan(0.95 * mean(curveOf(rows, 0, 'successRate')));
    expect(again).toBeLessThan(half);
  });

  it('by difficulty begins with what is near', async () => {
    const arms = [armOf('all', { learningRate: 0 }), armOf('near', { learningRate: 0, difficultyStart: 0.2 })];
    const timeline: Change[] = [{ update: 10, arm: 'near', setting: 'difficultyStart', value: 1 }];
    const rows = await metricsOf(await trainerOf(experimentOf(arms, { timeline })), 14);
    const [all, near] = [curveOf(rows, 0, 'successRate'), curveOf(rows, 1, 'successRate')];
    expect(mean(near.slice(0, 10))).toBeGreaterThan(mean(all.slice(0, 10)) + 0.1);
    expect(near.slice(10)).toEqual(all.slice(10));
  });
});

it('free decoding makes malformed actions happen, and they cost what the world says', async () => {
  const { settings } = tiny.environment;
  const outcome = async (decoding: string, malformed = 'warning') => {
    const environment = { id: 'gridworld', settings: { ...settings, size: 3, horizon: 5, minimumDistance: 1 } };
    const free = { ...environment, settings: { ...environment.settings, decoding, malformed, penalty: 0.1 } };
    const rows = await metricsOf(
      await trainerOf(experimentOf([armOf('a', { learningRate: 0 })], { environment: free })),
      4,
    );
    const [warned, turns, paid, solved] = (['warningShare', 'turns', 'return', 'successRate'] as const).map((metric) =>
      mean(curveOf(rows, 0, metric)),
    ) as [number, number, number, number];
    return { warned, turns, paid, solved };
  };
  const [legal, warning, end, penalty] = [
    await outcome('legal'),
    await outcome('free'),
    await outcome('free', 'end'),
    await outcome('free', 'penalty'),
  ] as const;
  expect(legal.warned).toBe(0);
  expect(legal.paid).toBeCloseTo(legal.solved, 6);
  // Only 4 of 16 words are moves.
  expect(warning.warned).toBeGreaterThan(0.6);
  expect(warning.solved).toBeLessThan(0.7 * legal.solved);
  expect(end.turns).toBeLessThan(0.6 * warning.turns);
  expect(penalty.solved).toBe(warning.solved);
  expect(penalty.paid).toBeCloseTo(warning.paid - 0.1 * warning.warned * warning.turns, 1);
});

it('a cap on turns ends episodes, and rises by stages', async () => {
  const arms = [armOf('free'), armOf('staged', { turnCap: 1, turnCapStep: 2, turnCapUpdates: 2 })];
  const trainer = await trainerOf(experimentOf(arms));
  const rows = await metricsOf(trainer, 4);
  expect(curveOf(rows, 1, 'turns').slice(0, 2)).toEqual([1, 1]);
  expect(Math.max(...curveOf(rows, 1, 'turns').slice(2))).toBeLessThanOrEqual(3);
  expect(mean(curveOf(rows, 1, 'turns').slice(2))).toBeGreaterThan(1);
  expect(mean(curveOf(rows, 0, 'turns'))).toBeGreaterThan(2.5);
});

describe('stale rollouts', () => {
  const arms = [
    armOf('fresh', { learningRate: 0.02 }),
    armOf('stale', { learningRate: 0.02, staleness: 3 }),
    armOf('mixed', { learningRate: 0.02, staleness: 3, staleShare: 0.5 }),
    armOf('turns', { learningRate: 0.02, staleness: 3, staleShare: 0.5, staleUnit: 'turns' }),
    armOf('all-turns', { learningRate: 0.02, staleness: 3, staleUnit: 'turns' }),
  ];

  it('are played by the policy of k updates ago: what it thought differs from what the learner thinks', async () => {
    const rows = await metricsOf(await trainerOf(experimentOf(arms)), 5);
    const [fresh, stale, mixed] = [0, 1, 2].map((member) => curveOf(rows, member, 'mismatch')) as [
      number[],
      number[],
      number[],
    ];
    expect(Math.max(...fresh)).toBeLessThan(1e-5);
    // The first policy itself plays until there is an earlier one.
    expect(stale[0]).toBeLessThan(1e-5);
    for (const update of [1, 2, 3, 4]) {
      expect(stale[update]).toBeGreaterThan(1e-3);
      expect(mixed[update]).toBeGreaterThan(1e-4);
    }
    expect(mean(mixed)).toBeLessThan(mean(stale));
    const turns = curveOf(rows, 3, 'mismatch') as number[];
    expect(turns[0]).toBeLessThan(1e-5);
    expect(Math.min(...turns.slice(1))).toBeGreaterThan(1e-4);
    expect(mean(turns)).toBeLessThan(mean(stale));
    // The stale policy in all turns is the stale policy in all episodes.
    for (const metric of ['successRate', 'turns'] as const)
      expect(curveOf(rows, 4, metric)).toEqual(curveOf(rows, 1, metric));
    for (const [update, value] of curveOf(rows, 4, 'mismatch').entries()) {
      expect(value).toBeCloseTo(stale[update] as number, 5);
    }
  });

  it('play what the earlier policy itself would have played', async () => {
    // The policy is frozen after its first update, so three updates later the stale policy equals it.
    const timeline: Change[] = [{ update: 1, arm: '*', setting: 'learningRate', value: 0 }];
    const rows = await metricsOf(await trainerOf(experimentOf(arms, { timeline })), 6);
    for (const member of [1, 3]) {
      const differs = curveOf(rows, member, 'mismatch').map((value) => value > 1e-5);
      expect(differs).toEqual([false, true, true, true, false, false]);
    }
  });
});

describe('a supervised phase', () => {
  const phase: Change[] = [
    { update: 4, arm: 'taught', setting: 'imitation', value: 'actions' },
    { update: 44, arm: 'taught', setting: 'imitation', value: 'none' },
  ];

  it('teaches what the expert does, from its update on, and reports the arm’s own episodes', async () => {
    const arms = [armOf('alone', { learningRate: 0 }), armOf('taught', { learningRate: 0 })];
    const warmStart = { ...tiny.warmStart, learningRate: 1e-2 };
    const rows = await metricsOf(await trainerOf(experimentOf(arms, { timeline: phase, warmStart })), 48);
    const [alone, taught] = [curveOf(rows, 0, 'successRate'), curveOf(rows, 1, 'successRate')];
    expect(taught.slice(0, 5)).toEqual(alone.slice(0, 5));
    expect(mean(taught.slice(44))).toBeGreaterThan(mean(alone) + 0.2);
    expect(curveOf(rows, 1, 'zeroVarianceGroups').map(Number.isNaN)).toEqual(rows.map((_, i) => i >= 4 && i < 44));
  });
});

it('a run with all of these continues from a checkpoint bit for bit', async () => {
  const arms = [
    armOf('stale', { staleness: 2, staleShare: 0.5 }),
    armOf('half', { taskChoice: 'near-half', resampling: 2 }),
    armOf('turns', { staleness: 1, staleShare: 0.5, staleUnit: 'turns' }),
    armOf('again', { taskChoice: 'failed-again', staleness: 1, imitation: 'observations' }),
  ];
  const experiment = experimentOf(arms, { updates: 6 });
  const whole = await trainerOf(experiment);
  const rows = await metricsOf(whole, 6);
  const first = await trainerOf(experiment);
  await metricsOf(first, 3);
  const snapshot = await first.snapshot();
  const curves = new Float32Array(4 * 3 * METRICS.length);
  const machines = [{ update: 0, backend: 'cpu' as const }];
  const bytes = encodeCheckpoint({ snapshot, experiment, backend: 'cpu', machines, curves, tokens: 1 });
  const continued = await trainerOf(experiment, decodeCheckpoint(bytes).snapshot);
  expect(await metricsOf(continued, 3)).toEqual(rows.slice(3));
  expect((await continued.snapshot()).tensors).toEqual((await whole.snapshot()).tensors);
  expect((await continued.snapshot()).tasks).toEqual((await whole.snapshot()).tasks);
});
