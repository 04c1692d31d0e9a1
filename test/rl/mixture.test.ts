/** Mixtures in training: advantages scaled by world, success reported by world, actions of one token beside longer ones. */
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { mixture } from '../../src/environments/mixture/mixture';
import { WORLD_IDS } from '../../src/environments/mixture/settings';
import { actionsOf, decoderChunk } from '../../src/environments/replay';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { environmentOf } from '../../src/experiment/presets/preset';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { allocateBatch, writeBatch } from '../../src/rl/learn/batch';
import { objectiveScratch, recordAdvantages } from '../../src/rl/learn/lossWeights';
import { METRIC, type MetricName, worldSuccess } from '../../src/rl/measure/metrics';
import { Demonstrations } from '../../src/rl/play/demonstrations';
import { Trajectories } from '../../src/rl/play/trajectories';
import { hyperparameters, membersOf } from '../../src/rl/population';
import type { Operations } from '../../src/tensor/backend';
import { HYPER_COLUMNS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { playedAtRandom } from '../support/playedAtRandom';
import { ran } from '../support/tensors';
import { cpuTrainer } from '../support/trained';

/** Settings of two worlds with unlike rewards: 0 to −6 in one, 0 or 1 in the other. */
const UNLIKE = {
  'gridworld-size': 3,
  'gridworld-horizon': 6,
  'gridworld-minimumDistance': 1,
  'gridworld-decoding': 'free',
  'gridworld-malformed': 'penalty',
  'gridworld-penalty': 1,
  'calculator-largest': 1,
  'calculator-turns': 6,
  'calculator-decoding': 'free',
};

/** Advantages by the reference backend, [P, B, T], of a batch that members of `arms` play at random. */
async function advantagesOf(arms: readonly Arm[], environment: Environment, groups: number, groupSize: number) {
  const members = membersOf(arms, [0]);
  const [P, chunk] = [members.length, decoderChunk(environment)];
  const { context, maxTurns: turns } = environment;
  const trajectories = await playedAtRandom(environment, arms, { groups, groupSize, chunk });

  const backend = new ReferenceBackend();
  const batch = allocateBatch(backend, { members: P, groups, groupSize, context, turns });
  writeBatch(backend, batch, trajectories);
  const hyper = backend.tensor('hyper', 'f32', P, HYPER_COLUMNS);
  backend.write(hyper, hyperparameters(members, arms));
  const scratch = backend.tensor('scratch', 'f32', P, objectiveScratch(batch, turns));
  const score = (ops: Operations): void => recordAdvantages(ops, batch, scratch, hyper);
  const [advantage] = await ran(backend, P, score, [batch.dense.advantage]);
  return { trajectories, advantage };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]): number => {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
};

test('environment-deviation divides by the deviation within the world, batch-deviation by that of all', async () => {
  const [groups, groupSize] = [12, 4];
  const arm = (scale: Arm['advantageScale']): Arm => ({ ...defaultArm(scale, scale), advantageScale: scale });
  const arms = [arm('environment-deviation'), arm('batch-deviation')];
  const environment = mixture.create(UNLIKE);
  const { trajectories, advantage } = await advantagesOf(arms, environment, groups, groupSize);
  const { count, context, rewards, roles, tasks } = trajectories;
  const worldOf = (b: number): number => tasks[0]?.[Math.floor(b / groupSize)]?.[0] as number;
  const all = Array.from({ length: count }, (_, b) => b);
  const spreads = [0, 1].map((world) =>
    deviation(all.filter((b) => worldOf(b) === world).map((b) => rewards[b] as number)),
  );
  const whole = deviation(all.map((b) => rewards[b] as number));
  // Premise of the test: the spreads of the two worlds differ from each other and from the batch's.
  expect(spreads[0]).toBeGreaterThan(2 * (spreads[1] as number));
  expect(Math.abs(whole / (spreads[0] as number) - 1)).toBeGreaterThan(0.1);

  let actions = 0;
  for (const b of all) {
    const first = Math.floor(b / groupSize) * groupSize;
    const own = rewards[b] as number;
    const centred = own - mean(Array.from(rewards.subarray(first, first + groupSize)));
    for (let t = 0; t < context; t++) {
      if (roles[b * context + t] !== ROLE.action) continue;
      actions += 1;
      const [byWorld, byBatch] = [0, 1].map((p) => advantage[(p * count + b) * context + t] as number);
      expect(byWorld).toBeCloseTo(centred / ((spreads[worldOf(b)] as number) + 1e-4), 5);
      expect(byBatch).toBeCloseTo(centred / (whole + 1e-4), 5);
    }
  }
  expect(actions).toBeGreaterThan(count);
});

test('an episode is paid by the turns its own world has', async () => {
  const plain = defaultArm('efficient', 'Efficient');
  const arm: Arm = { ...plain, reward: { ...plain.reward, outcome: 0, efficiency: 1 } };
  const environment = mixture.create({ ...UNLIKE, 'calculator-turns': 2 });
  const { trajectories } = await advantagesOf([arm], environment, 40, 4);
  const { count, environments, rewards, successes, turns } = trajectories;
  let solved = 0;
  for (let b = 0; b < count; b++) {
    if (successes[b] === 0 || environments[b] === 0) continue;
    solved += 1;
    const calls = (turns[b] as number) - 1;
    expect(rewards[b]).toBeCloseTo(Math.cos((calls * Math.PI) / (2 * calls + 2)), 6);
  }
  expect(solved).toBeGreaterThan(3);
});

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const FOUR = { gridworld: 1, calculator: 1, shop: 0.3, terminal: 1, 'calculator-largest': 1, 'terminal-horizon': 3 };
const mixed: Experiment = {
  ...tiny,
  environment: environmentOf('mixture', FOUR),
  seeds: 1,
  batch: { groups: 6, groupSize: 4 },
  arms: [defaultArm('mask', 'Mask')],
};

describe('training on a mixture', () => {
  test('tells the success of each world apart, and of none that had no task', async () => {
    const trainer = await cpuTrainer(mixed);
    const { environment } = trainer;
    let absent = 0;
    for (let update = 0; update < 6; update++) {
      const values = await (await trainer.runUpdate()).metrics;
      const of = (name: MetricName): number => values[METRIC[name]] as number;
      const shares = new Map<string, number>();
      for (let group = 0; group < 6; group++) {
        const task = environment.drawTask(new RandomStream(mixed.seed, STREAM.tasks, 0, update, group));
        const id = environment.parts?.[environment.environmentOf?.(task) ?? -1]?.id ?? '';
        shares.set(id, (shares.get(id) ?? 0) + 1 / 6);
      }
      let whole = 0;
      for (const id of WORLD_IDS) {
        const share = shares.get(id) ?? 0;
        if (share > 0) whole += share * of(worldSuccess(id));
        else absent += 1;
        expect(Number.isNaN(of(worldSuccess(id))), id).toBe(share === 0);
      }
      expect(of('successRate')).toBeCloseTo(whole, 6);
      expect(of('calculatorSuccess')).not.toBe(of('successRate'));
    }
    expect(absent).toBeGreaterThan(0);
    trainer.dispose();
  });

  test('draws one token where a world has one-token actions, more where it has longer ones, and scores them alike', async () => {
    const trainer = await cpuTrainer(mixed);
    const { environment } = trainer;
    const lengths = new Map<string, Set<number>>();
    for (let update = 0; update < 8; update++) {
      const { metrics, episodes } = await trainer.runUpdate({ seed: 0, group: update % 6 });
      // Decoding continued in the cache after actions that had ended; training must still find the same log-probs.
      expect((await metrics)[METRIC.mismatch]).toBeLessThan(1e-5);
      for (const { task, tokens, roles } of (await episodes) ?? []) {
        const actions = actionsOf(tokens, roles);
        expect(environment.scenes?.(task, tokens, roles)).toHaveLength(actions.length + 1);
        const id = environment.parts?.[environment.environmentOf?.(task) ?? -1]?.id ?? '';
        lengths.set(id, new Set([...(lengths.get(id) ?? []), ...actions.map(({ length }) => length)]));
      }
    }
    expect(lengths.get('gridworld')).toEqual(new Set([1]));
    expect(lengths.get('calculator')).toEqual(new Set([1]));
    expect(Math.max(...(lengths.get('terminal') ?? []))).toBe(4);
    trainer.dispose();
  });

  test('feeds the longest prompt of any world at once', () => {
    const environment = mixture.create({ 'calculator-operands': 3 });
    const world = environment.createWorld(1);
    const random = new RandomStream(1, STREAM.tasks, 0, 0, 0);
    let longest = 0;
    for (let draw = 0; draw < 20; draw++) {
      let length = 0;
      world.reset(0, environment.drawTask(random), { emit: () => ++length > 0 });
      longest = Math.max(longest, length);
    }
    expect(longest).toBe(7);
    expect(decoderChunk(environment)).toBe(longest);
  });

  test('learns from the expert of every world', () => {
    const environment = mixture.create(FOUR);
    const common = { noisy: 0, noise: 0, split: 'train', experimentSeed: 1, stream: STREAM.demonstrations } as const;
    const demonstrations = new Demonstrations(environment, { ...common, source: 'expert' });
    const count = 60;
    const trajectories = new Trajectories(1, count, environment.context, environment.maxTurns);
    for (let number = 0; number < count; number++) demonstrations.play(trajectories, number, 0, number);
    expect(trajectories.successes).toEqual(new Uint8Array(count).fill(1));
    expect(new Set(trajectories.environments)).toEqual(new Set([0, 1, 2, 3]));
  });
});
