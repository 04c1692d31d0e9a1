/** Hindsight in a run: its effect on the policy gradient, and everything that it must not change. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { actionsOf, replay } from '../../src/environments/replay';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import type { EpisodeView } from '../../src/train/looks/shown';
import type { Trainer } from '../../src/train/population/trainer';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;

/** Arm that only the reward changes. */
const bare: Arm = { ...defaultArm('bare', 'Bare'), entropyCoefficient: 0, weightDecay: 0, innerEpochs: 1 };
const hindsightOf = (id: string, share: number, more: Partial<Arm> = {}): Arm => ({
  ...bare,
  ...more,
  id,
  hindsight: share,
});
const ALL = hindsightOf('all', 1);
const HALF = hindsightOf('half', 0.5);
const WEIGHTED = hindsightOf('weighted', 1, { decodingCorrection: 'truncate' });

const GROUPS = 6;
const map = gridworld.create({ size: 8, horizon: 6, minimumDistance: 3 });
/** Environment with a hopeless task: from the middle of a map to a corner that is too far away. */
const hopeless: Environment = {
  words: map.words,
  context: map.context,
  maxTurns: map.maxTurns,
  maxActionTokens: map.maxActionTokens,
  stopToken: map.stopToken,
  maxObservationTokens: map.maxObservationTokens,
  legalSets: map.legalSets,
  randomSuccess: 0,
  drawTask: (random) => Int32Array.of([27, 28, 35, 36][random.below(4)] as number, random.below(2) * 63),
  hindsight: (...episode) => map.hindsight?.(...episode) ?? null,
  createWorld: (slots) => map.createWorld(slots),
};

async function trainerOf(arms: readonly Arm[]): Promise<Trainer> {
  const experiment: Experiment = {
    ...tiny,
    seeds: 1,
    // Weights large enough for the prompt to matter from the beginning.
    policy: { ...tiny.policy, initialScale: 0.2 },
    batch: { groups: GROUPS, groupSize: 8 },
    diagnosticsEvery: 1,
    arms: [...arms],
  };
  const trainer = await cpuTrainer(experiment, { environment: hopeless });
  return trainer;
}

/** First episode of every group as each arm shows it in the first update. */
const shown: EpisodeView[][] = [];
beforeAll(async () => {
  for (let group = 0; group < GROUPS; group++) {
    const { episodes } = await (await trainerOf([bare, ALL, WEIGHTED])).runUpdate({ seed: 0, group });
    shown.push((await episodes) ?? []);
  }
});

const rowOf = (metrics: Float64Array, member: number): Float64Array =>
  metrics.slice(member * METRICS.length, (member + 1) * METRICS.length);
const reader =
  (metrics: Float64Array | undefined, member: number) =>
  (name: MetricName): number =>
    metrics?.[member * METRICS.length + METRIC[name]] ?? Number.NaN;

describe('where every episode fails', () => {
  test('the policy gradient is nothing without hindsight, and something with it', async () => {
    const arms = [bare, HALF, ALL];
    const trainer = await trainerOf(arms);
    const before = (await trainer.snapshot()).tensors.parameters.slice();
    const [metrics] = await metricsOf(trainer, 1);
    const after = (await trainer.snapshot()).tensors.parameters;
    const of = arms.map((_, member) => reader(metrics, member));
    const all = (name: MetricName): number[] => of.map((read) => read(name));
    expect(all('successRate')).toEqual([0, 0, 0]);
    expect(all('allFailedGroups')).toEqual([1, 1, 1]);
    const [none, half = 0, whole = 0] = all('relabelled');
    expect(none).toBeNaN();
    expect(half).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(half);
    const [without, withHalf, withAll] = all('policyGradNorm');
    expect(without).toBe(0);
    expect(withHalf).toBeGreaterThan(1e-3);
    expect(withAll).toBeGreaterThan(1e-3);
    const [equal, , unequal = 1] = all('zeroVarianceGroups');
    expect(equal).toBe(1);
    expect(unequal).toBeLessThan(1);
    const N = trainer.layout.size;
    const own = (parameters: typeof after, member: number) => parameters.slice(member * N, (member + 1) * N);
    expect(own(after, 0)).toEqual(own(before, 0));
    expect(own(after, 1)).not.toEqual(own(before, 1));
    expect(own(after, 2)).not.toEqual(own(before, 2));
  });

  test('the curves still say what was played', async () => {
    const PLAYED: readonly MetricName[] = [
      ...(['successRate', 'return', 'rewardOutcome', 'allFailedGroups', 'mixedGroups', 'allSolvedGroups'] as const),
      ...(['trajectoryTokens', 'turns', 'warningShare', 'repeatedActions'] as const),
    ];
    const [metrics] = await metricsOf(await trainerOf([bare, ALL]), 1);
    const [without, with_] = [reader(metrics, 0), reader(metrics, 1)];
    expect(PLAYED.map(with_)).toEqual(PLAYED.map(without));
    expect(with_('relabelled')).toBeGreaterThan(0);
    expect(without('mismatch')).toBeLessThan(1e-4);
    expect(with_('mismatch')).toBeGreaterThan(1e-3);
  });

  test('a correction for decoding weighs each action by what the two prompts say of it', () => {
    let weighed = 0;
    for (const [set, told, corrected] of shown) {
      if (set === undefined || told === undefined || corrected === undefined) throw new Error('an arm was not shown');
      expect(corrected.tokens).toEqual(told.tokens);
      if (!told.relabelled || told.advantage === 0) continue;
      told.roles.forEach((role, t) => {
        if (role !== ROLE.action) return;
        const ratio = Math.exp((told.logProb[t] as number) - (set.logProb[t] as number));
        const weight = (corrected.policyWeight[t] as number) / (told.policyWeight[t] as number);
        expect(weight).toBeCloseTo(Math.min(ratio, 2), 4);
        if (Math.abs(weight - 1) > 0.01) weighed += 1;
      });
    }
    expect(weighed).toBeGreaterThan(3);
  });
});

describe('a run with hindsight', () => {
  test('is the same twice, leaves other members alone, and goes on from a snapshot', async () => {
    const arms = [bare, HALF, WEIGHTED];
    const whole = await metricsOf(await trainerOf(arms), 4);
    const half = await trainerOf(arms);
    expect(await metricsOf(half, 2)).toEqual(whole.slice(0, 2));
    const resumed = await trainerOf(arms);
    await resumed.restore(await half.snapshot());
    expect(await metricsOf(resumed, 2)).toEqual(whole.slice(2));
    const alone = await metricsOf(await trainerOf([bare]), 4);
    whole.forEach((metrics, update) => {
      expect(rowOf(metrics, 0)).toEqual(alone[update]);
    });
    const halfAlone = await metricsOf(await trainerOf([HALF]), 4);
    whole.forEach((metrics, update) => {
      expect(rowOf(metrics, 1)).toEqual(halfAlone[update]);
    });
  });

  test('shows the episode as it was learned from', () => {
    const seen = shown.flat().filter(({ arm }) => arm !== 'weighted');
    const told = seen.filter(({ relabelled }) => relabelled);
    expect(told.length).toBeGreaterThan(0);
    for (const { arm, task, tokens, roles, success, reward } of told) {
      const world = hopeless.createWorld(1);
      replay(world, task, tokens, roles);
      expect([arm, world.isSuccess(0), success, reward]).toEqual(['all', true, true, 1]);
      expect(actionsOf(tokens, roles).length).toBeGreaterThanOrEqual(3);
    }
    expect(told.some(({ policyWeight }) => Math.max(...policyWeight) > 0)).toBe(true);
    const played = seen.filter(({ relabelled }) => !relabelled);
    expect(played.every(({ success, reward }) => !success && reward === 0)).toBe(true);
  });
});
