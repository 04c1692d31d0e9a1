/** Thoughts before actions: drawn as their own role, not heard by the world, learned from with weights of their own. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { mixture } from '../../src/environments/mixture/mixture';
import { openWorlds } from '../../src/environments/own/here';
import { textFor } from '../../src/environments/own/shipped';
import { ownWorld } from '../../src/environments/own/world';
import { actionsOf, turnsOf } from '../../src/environments/replay';
import { type Arm, defaultArm, type Experiment } from '../../src/experiment/experiment';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { HYPER } from '../../src/hyperparameters/columns';
import { AS_ACTIONS } from '../../src/hyperparameters/weights';
import { rolesWithLoss } from '../../src/rl/learn/needs';
import { METRIC } from '../../src/rl/measure/metrics';
import { Demonstrations } from '../../src/rl/play/demonstrations';
import { Trajectories } from '../../src/rl/play/trajectories';
import { hyperparameters, membersOf } from '../../src/rl/population';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { Trainer } from '../../src/train/population/trainer';

beforeAll(openWorlds);

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const arm = (id: string, more: Partial<Arm> = {}): Arm => ({ ...defaultArm(id, id), ...more });
const plain = arm('plain');
const sums = (arms: readonly Arm[], settings: Record<string, number> = {}): Experiment => {
  const placed = withWorld({ ...tiny, arms: [...arms], seeds: 1, batch: { groups: 4, groupSize: 4 } }, textFor('@sum'));
  const { environment } = placed;
  return parseExperiment({
    ...placed,
    environment: { ...environment, settings: { ...environment.settings, ...settings } },
  });
};

/** Metrics and watched episodes of some updates. */
async function train(backend: Backend, experiment: Experiment, updates: number) {
  const trainer = new Trainer(backend, experiment);
  await trainer.prepare();
  const metrics: number[][] = [];
  const episodes = [];
  for (let update = 0; update < updates; update++) {
    const ran = await trainer.runUpdate({ seed: 0, group: update % 4 });
    metrics.push(Array.from(await ran.metrics));
    episodes.push(...((await ran.episodes) ?? []));
  }
  trainer.dispose();
  return { metrics, episodes, environment: trainer.environment };
}

/** A prompt, then turns of thoughts that end as they should, an action of one word, and the answer. */
function expectTurns(environment: Environment, tokens: ArrayLike<number>, roles: ArrayLike<number>): number {
  const { thoughts, legalSets } = environment;
  if (thoughts === undefined) throw new Error('The world has no thoughts.');
  const words = legalSets[thoughts.legalSet - 1] ?? [];
  const turns = turnsOf(roles);
  expect(turns).not.toHaveLength(0);
  for (const { begin, action, answer, end } of turns) {
    const drawn = Array.from({ length: action - begin }, (_, i) => tokens[begin + i] as number);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.length).toBeLessThanOrEqual(thoughts.most);
    expect(drawn.every((token) => words.includes(token))).toBe(true);
    expect(drawn.slice(0, -1)).not.toContain(thoughts.end);
    if (drawn.length < thoughts.most) expect(drawn.at(-1)).toBe(thoughts.end);
    expect(answer - action).toBe(1);
    expect(end).toBeGreaterThan(answer);
  }
  return turns.length;
}

describe('in training', () => {
  test('come before every action, and float32 finds the log-probs and terms that float64 does', async () => {
    const masked = arm('masked', {
      pg: { ...plain.pg, thought: 0 },
      ce: { ...plain.ce, thought: 0.2 },
      klCoefficient: 0.1,
      kl: { ...plain.kl, thought: 0.5 },
      entropy: { ...plain.entropy, thought: 0 },
      innerEpochs: 2,
      ratioLevel: 'turn',
    });
    const experiment = sums([plain, masked], { numbers: 2, thinking: 3 });
    const cpu = await train(await createCpuBackend(), experiment, 2);
    const reference = await train(new ReferenceBackend(), experiment, 2);
    expect(cpu.episodes.map(({ tokens }) => [...tokens])).toEqual(reference.episodes.map(({ tokens }) => [...tokens]));
    let turns = 0;
    for (const { tokens, roles } of cpu.episodes) turns += expectTurns(cpu.environment, tokens, roles);
    expect(turns).toBe(cpu.episodes.length);
    cpu.metrics.forEach((own, update) => {
      own.forEach((value, i) => {
        const exact = reference.metrics[update]?.[i] ?? Number.NaN;
        if (Number.isNaN(exact)) expect(value).toBeNaN();
        else expect(Math.abs(value - exact)).toBeLessThan(1e-3 + 1e-2 * Math.abs(exact));
      });
    });
  });

  test('are decoded with the log-probs that training finds, and the world hears the action alone', async () => {
    const { metrics, episodes, environment } = await train(await createCpuBackend(), sums([plain]), 4);
    for (const own of metrics) expect(own[METRIC.mismatch]).toBeLessThan(1e-5);
    for (const { task, tokens, roles, success } of episodes) {
      expectTurns(environment, tokens, roles);
      const world = environment.createWorld(1);
      world.reset(0, task, { emit: () => true });
      for (const action of actionsOf(tokens, roles)) world.step(0, action, { emit: () => true });
      expect(world.isSuccess(0)).toBe(success);
      expect(environment.scenes?.(task, tokens, roles)).toHaveLength(2);
    }
  });

  test('in a mixture only where the world has them', async () => {
    const settings = { own: 1, gridworld: 1, calculator: 0, 'own-world': '@sum', 'own-thinking': 4 };
    const experiment = parseExperiment({
      ...sums([plain]),
      environment: { id: 'mixture', settings: { ...settings } },
    });
    const environment = mixture.create(experiment.environment.settings);
    expect(environment.words[environment.thoughts?.end ?? -1]).toBe('so');
    const { episodes } = await train(await createCpuBackend(), experiment, 4);
    const kinds = new Set<number>();
    for (const { task, tokens, roles } of episodes) {
      kinds.add(task[0] as number);
      if (environment.parts?.[task[0] as number]?.id === 'own') expectTurns(environment, tokens, roles);
      else expect(roles).not.toContain(ROLE.thought);
    }
    expect(kinds.size).toBe(2);
  });
});

test('demonstrations think as the expert does, or nothing but the word that ends it', () => {
  const world = (more: string): Environment => ownWorld(textFor('@sum').replace('// As many', `${more}// As many`), {});
  const thinking = world('');
  const common = { noisy: 0, noise: 0, split: 'train', experimentSeed: 1, stream: STREAM.demonstrations } as const;
  const played = (environment: Environment, source: 'expert' | 'random'): string[] => {
    const trajectories = new Trajectories(1, 1, environment.context, environment.maxTurns);
    new Demonstrations(environment, { ...common, source }).play(trajectories, 0, 0, 0);
    const { roles, tokens, lengths } = trajectories;
    return Array.from({ length: lengths[0] as number }, (_, t) => t)
      .filter((t) => roles[t] === ROLE.thought)
      .map((t) => environment.words[tokens[t] as number] ?? '?');
  };
  const task = thinking.drawTask(new RandomStream(1, STREAM.tasks, 0, 0, 0));
  expect(task).toHaveLength(2);
  expect(played(thinking, 'expert')).toHaveLength(4);
  expect(played(thinking, 'expert').at(-1)).toBe('so');
  expect(played(thinking, 'random')).toEqual(['so']);
});

test('weights on thoughts are those of actions until they are set', () => {
  const row = (more: Partial<Arm>): Float32Array => {
    const one = arm('one', { klCoefficient: 0.5, entropyCoefficient: 0.25, ...more });
    return hyperparameters(membersOf([one], [0]), [one]);
  };
  expect(plain.pg.thought).toBe(AS_ACTIONS);
  const imitator = row({ pg: { ...plain.pg, action: 0 }, ce: { ...plain.ce, action: 0.5 } });
  expect(imitator[HYPER.policyGradient + ROLE.thought]).toBe(0);
  expect(imitator[HYPER.crossEntropy + ROLE.thought]).toBe(0.5);
  const set = row({
    pg: { ...plain.pg, thought: 0.5 },
    kl: { ...plain.kl, thought: 2 },
    entropy: { ...plain.entropy, thought: 0 },
  });
  expect(set[HYPER.policyGradient + ROLE.thought]).toBe(0.5);
  expect([set[HYPER.klCoefficient], set[HYPER.klThought]]).toEqual([0.5, 1]);
  expect([set[HYPER.entropyCoefficient], set[HYPER.entropyThought]]).toEqual([0.25, 0]);
  expect(rolesWithLoss(set, false)).not.toContain(ROLE.thought);
  expect(rolesWithLoss(set, true)).toContain(ROLE.thought);
});
