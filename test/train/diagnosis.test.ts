/**
 * A diagnosis agrees with other measurements: slices with the observation cross-entropy and its floor, layers and roles
 * with the global gradient norms, each backend with the float64 reference. It changes no bit of the training.
 */
import { describe, expect, test } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { ROLE } from '../../src/foundation/roles';
import { parameterGroups } from '../../src/policy/parameterGroups';
import { type Diagnosis, type MemberDiagnosis, readMember } from '../../src/rl/look/diagnosis/table';
import { METRIC, METRICS, type MetricName } from '../../src/rl/measure/metrics';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import type { Inspection } from '../../src/train/looks/shown';
import { Trainer } from '../../src/train/population/trainer';
import { Scoring } from '../support/scoring';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const [mask, world, noMask] = tiny.arms as [Arm, Arm, Arm];
/** Arm with everything that has a gradient of its own: a critic, KL and entropy on actions, a world model. */
const critic: Arm = {
  ...world,
  id: 'critic',
  name: 'Critic',
  innerEpochs: 2,
  klCoefficient: 0.1,
  entropyCoefficient: 0.02,
  valueCoefficient: 0.5,
};
const experiment: Experiment = {
  ...tiny,
  seeds: 1,
  batch: { groups: 4, groupSize: 8 },
  arms: [mask, world, noMask],
  diagnosticsEvery: 1,
};
const withCritic: Experiment = { ...experiment, arms: [...experiment.arms, critic] };

interface Seen {
  readonly metrics: Float64Array[];
  readonly diagnoses: (Diagnosis | null)[];
  readonly trainer: Trainer;
}

async function trained(
  backend: Backend,
  updates: number,
  diagnose: boolean,
  of = experiment,
  halvings = 0,
): Promise<Seen> {
  const trainer = new Trainer(backend, of, { halvings });
  await trainer.prepare();
  const metrics: Float64Array[] = [];
  const diagnoses: (Diagnosis | null)[] = [];
  for (let update = 0; update < updates; update++) {
    const result = await trainer.runUpdate(undefined, diagnose);
    metrics.push(await result.metrics);
    diagnoses.push(await result.diagnosis);
  }
  return { metrics, diagnoses, trainer };
}

const last = ({ diagnoses }: Seen): Diagnosis => diagnoses.at(-1) as Diagnosis;
const metric = ({ metrics }: Seen, member: number, name: MetricName): number =>
  metrics.at(-1)?.[member * METRICS.length + METRIC[name]] as number;
const lengthOf = (parts: readonly number[]): number => Math.hypot(...parts);

/** Compares within the error of float32 sums over a few thousand parameters. */
function expectClose(value: number, expected: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(2e-5 * Math.abs(expected) + 1e-9);
}

type Losses = (parameters: ArrayLike<number>) => Promise<readonly [policy: number, worldModel: number]>;

/** Losses as token means: −A·ratio over the actions, the ratio to parameters `old`; λ · cross-entropy over observations. */
async function lossesOf(trainer: Trainer, batch: readonly Inspection[], old: ArrayLike<number>): Promise<Losses> {
  const tokens = batch.flatMap(({ roles, numbers }) =>
    Array.from(roles, (role, t) => ({ role, advantage: numbers.advantage[t] as number })),
  );
  const count = (wanted: number): number => tokens.filter(({ role }) => role === wanted).length;
  const [actions, observations] = [count(ROLE.action), count(ROLE.observation)];
  const scoring = new Scoring(trainer, world, batch);
  const before = (await scoring.score(old)).logProb;
  return async (parameters) => {
    const { logProb } = await scoring.score(parameters);
    let [policy, worldModel] = [0, 0];
    tokens.forEach(({ role, advantage }, row) => {
      const value = logProb[row] as number;
      if (role === ROLE.action) policy -= (advantage * Math.exp(value - (before[row] as number))) / actions;
      if (role === ROLE.observation) worldModel -= (world.ce.observation * value) / observations;
    });
    return [policy, worldModel];
  };
}

/** Gradients of both losses by central differences. */
async function centralDifferences(losses: Losses, at: ArrayLike<number>): Promise<readonly [number[], number[]]> {
  const STEP = 1e-5;
  const moved = Float64Array.from(at);
  const [policy, worldModel]: [number[], number[]] = [[], []];
  for (const [i, value] of Array.from(moved).entries()) {
    moved[i] = value + STEP;
    const above = await losses(moved);
    moved[i] = value - STEP;
    const below = await losses(moved);
    moved[i] = value;
    policy.push((above[0] - below[0]) / (2 * STEP));
    worldModel.push((above[1] - below[1]) / (2 * STEP));
  }
  return [policy, worldModel];
}

describe('a diagnosis', () => {
  test('changes no number, and its layers and roles are parts of the global gradients', async () => {
    const plain = await trained(await createCpuBackend(), 3, false, withCritic);
    const seen = await trained(await createCpuBackend(), 3, true, withCritic);
    expect(seen.metrics).toEqual(plain.metrics);
    expect((await seen.trainer.snapshot()).tensors).toEqual((await plain.trainer.snapshot()).tensors);
    expect(plain.diagnoses).toEqual([null, null, null]);

    const { layers } = last(seen);
    expect(layers).toEqual(['embedding', 'block 1, attention', 'block 1, feed-forward', 'head']);
    withCritic.arms.forEach((arm, member) => {
      const found = readMember(last(seen), member);
      const [policy, worldModel] = [metric(seen, member, 'policyGradNorm'), metric(seen, member, 'worldModelGradNorm')];
      expectClose(lengthOf(found.layers.map((layer) => layer.policy)), policy);
      expectClose(lengthOf(found.layers.map((layer) => layer.worldModel)), worldModel);
      const gradient = found.roles.map((role) => role.gradient);
      expect(gradient[ROLE.prompt]).toBe(0);
      if (arm.pg.observation > 0) {
        // Each role has only a part of the gradient; by the triangle inequality the parts together bound the whole.
        expect(gradient[ROLE.observation]).toBeGreaterThan(0);
        expect(metric(seen, member, 'gradNorm')).toBeLessThanOrEqual(gradient.reduce((a, b) => a + b, 0) * (1 + 1e-6));
      } else {
        // Here each role has one of the two losses, whose norms other passes measure.
        expectClose(gradient[ROLE.action] as number, policy);
        expectClose(gradient[ROLE.observation] as number, worldModel);
      }
    });
    const cosine = metric(seen, 1, 'gradientCosine');
    const parts = readMember(last(seen), 1).layers;
    const product = parts.reduce((sum, one) => sum + one.cosine * one.policy * one.worldModel, 0);
    const norms = metric(seen, 1, 'policyGradNorm') * metric(seen, 1, 'worldModelGradNorm');
    expect(product / norms).toBeCloseTo(cosine, 3);
    expect(readMember(last(seen), 0).layers.every((one) => Number.isNaN(one.cosine))).toBe(true);
  });

  test('is the same however the batch is cut', async () => {
    const whole = await trained(await createCpuBackend(), 2, true);
    const cut = await trained(await createCpuBackend(), 2, true, experiment, 1);
    expect([whole.trainer.microbatches, cut.trainer.microbatches]).toEqual([1, 2]);
    expect(last(cut)).toEqual(last(whole));
  });

  test('is the float64 reference’s within float32', async () => {
    const small: Experiment = { ...experiment, batch: { groups: 2, groupSize: 4 } };
    const { numbers } = last(await trained(await createCpuBackend(), 1, true, small));
    const reference = await trained(new ReferenceBackend(), 1, true, small);
    expect(last(reference).numbers).toHaveLength(numbers.length);
    last(reference).numbers.forEach((expected, i) => {
      if (Number.isNaN(expected)) expect(numbers[i]).toBeNaN();
      else expect(Math.abs((numbers[i] as number) - expected)).toBeLessThanOrEqual(1e-3 * Math.abs(expected) + 1e-6);
    });
  });

  test('by layer is what finite differences of the two losses give', async () => {
    const narrow: Experiment = {
      ...experiment,
      // A seed whose groups have different rewards.
      seed: 1,
      arms: [{ ...world, entropyCoefficient: 0 }],
      // GELU, because a finite difference may step over a kink of ReLU.
      policy: { ...experiment.policy, width: 4, heads: 1, layers: 1, initialScale: 0.3, activation: 'gelu' },
      batch: { groups: 2, groupSize: 2 },
    };
    const trainer = new Trainer(new ReferenceBackend(), narrow);
    await trainer.prepare();
    const { parameters } = (await trainer.snapshot()).tensors;
    const { layers } = readMember((await (await trainer.runUpdate(undefined, true)).diagnosis) as Diagnosis, 0);
    const trajectories: Inspection[] = [];
    for (let i = 0; i < 4; i++) {
      const [one] = (await trainer.inspect({ seed: 0, group: Math.floor(i / 2), trajectory: i % 2 })) ?? [];
      trajectories.push(one as Inspection);
    }
    const losses = await lossesOf(trainer, trajectories, parameters);
    const gradients = await centralDifferences(losses, parameters);
    const groups = parameterGroups(trainer.layout);
    expect(layers).toHaveLength(groups.length);
    groups.forEach(({ ranges }, layer) => {
      const found = layers[layer] as (typeof layers)[number];
      const [policy, worldModel] = gradients.map((all) => ranges.flatMap(([from, to]) => all.slice(from, to))) as [
        number[],
        number[],
      ];
      const product = policy.reduce((sum, value, i) => sum + value * (worldModel[i] as number), 0);
      const norms = [Math.hypot(...policy), Math.hypot(...worldModel)] as const;
      expect(norms[0]).toBeGreaterThan(1e-3);
      expect(found.policy / norms[0]).toBeCloseTo(1, 6);
      expect(found.worldModel / norms[1]).toBeCloseTo(1, 6);
      expect(found.cosine).toBeCloseTo(product / (norms[0] * norms[1]), 6);
    });
  });

  test('divides the observations in several ways, and each way adds up to the whole', async () => {
    const seen = await trained(await createCpuBackend(), 2, true);
    const { slices } = last(seen);
    experiment.arms.forEach((_, member) => {
      const found = readMember(last(seen), member);
      const all = found.slices[0] as MemberDiagnosis['slices'][number];
      expectClose(all.crossEntropy, metric(seen, member, 'observationCrossEntropy'));
      expect(all.floor).toBe(metric(seen, member, 'observationFloor'));
      expect(all.marginal).toBeLessThan(Math.log(seen.trainer.environment.words.length));
      expect(all.tokens).toBe((found.roles[ROLE.observation] as MemberDiagnosis['roles'][number]).tokens);
      for (const cut of ['kind', 'novelty', 'turn', 'outcome'] as const) {
        const own = found.slices.filter((one, i) => slices[i]?.cut === cut && one.tokens > 0);
        const sum = (name: 'crossEntropy' | 'marginal'): number =>
          own.reduce((total, one) => total + one.tokens * one[name], 0);
        expect(own.reduce((total, one) => total + one.tokens, 0)).toBe(all.tokens);
        expectClose(sum('crossEntropy'), all.tokens * all.crossEntropy);
        expectClose(sum('marginal'), all.tokens * all.marginal);
      }
    });
    expect(slices.filter(({ cut }) => cut === 'kind').map(({ name }) => name)).toContain('cell names');
  });

  test('sums the weights that the token means of the losses give: 1 for actions but for equal groups, λ for observations', async () => {
    const seen = await trained(await createCpuBackend(), 1, true);
    const roles = experiment.arms.map((_, member) => readMember(last(seen), member).roles);
    const at = (arm: number, role: number) => roles[arm]?.[role] as MemberDiagnosis['roles'][number];
    expect(at(0, ROLE.observation)).toMatchObject({ policyWeight: 0, crossEntropyWeight: 0, gradient: 0 });
    expectClose(at(1, ROLE.observation).crossEntropyWeight, world.ce.observation);
    expect(at(1, ROLE.observation).policyWeight).toBe(0);
    expect(at(0, ROLE.action).policyWeight).toBeGreaterThan(0);
    expect(at(2, ROLE.observation).policyWeight).toBeGreaterThan(0);
    expect(at(0, ROLE.action).crossEntropyWeight).toBe(0);
  });
});
