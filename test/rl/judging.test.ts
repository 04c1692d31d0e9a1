/**
 * Rewards without labels, by tools and by calls, an ensemble of verifiers, and anchor states: by hand, and as a rollout writes
 * them.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { checkExperiment } from '../../src/experiment/parse';
import type { Preset } from '../../src/experiment/presets/preset';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { REWARD_PART_IDS } from '../../src/hyperparameters/rewards';
import { summariseRollout } from '../../src/rl/measure/measure';
import { noteAgreement } from '../../src/rl/play/agreement';
import { randomDecoder } from '../../src/rl/play/randomDecoder';
import { isMisjudged, rewardRules } from '../../src/rl/play/rewards';
import { Rollout } from '../../src/rl/play/rollout';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { REWARD_PARTS } from '../../src/tensor/columns';
import { createEnvironment } from '../../src/train/population/shape';

beforeAll(openWorlds);

const plain = defaultArm('a', 'A');
const NOTHING = Object.fromEntries(REWARD_PART_IDS.map((part) => [part, 0])) as Arm['reward'];

/** A member's two groups of three episodes: each turn is an observation and the words of an action. */
function told(episodes: readonly (readonly (readonly [seen: number, ...action: number[]])[])[]): Trajectories {
  const trajectories = new Trajectories(1, episodes.length, 16, 4);
  trajectories.tasks[0]?.push(Int32Array.of(0), Int32Array.of(1));
  episodes.forEach((turns, i) => {
    for (const [seen, ...action] of turns) {
      trajectories.appendSaid(i, seen, 'observation');
      const anchor = trajectories.anchorOf(i);
      for (const word of action) trajectories.appendDrawn(i, word, 1, -1);
      trajectories.endTurn(i, trajectories.lengths[i] as number, 0, anchor);
    }
  });
  return trajectories;
}

describe('agreement', () => {
  const episodes = told([
    [[1, 5, 6]],
    [
      [1, 7],
      [2, 5, 6],
    ],
    [[1, 6, 5]],
    [[1, 5, 6]],
    [[1, 6]],
    [
      [1, 4],
      [1, 4],
      [3, 6],
    ],
  ]);

  test('is the share of the group that ends with the same action', () => {
    noteAgreement(episodes, [0, 1, 2, 3, 4, 5], 3);
    [2 / 3, 2 / 3, 1 / 3, 1 / 3, 2 / 3, 2 / 3].forEach((share, i) => {
      expect(episodes.agreed[i]).toBe(share);
    });
  });

  test('compares what was played together alone', () => {
    noteAgreement(episodes, [0, 2], 3);
    expect([...episodes.agreed.subarray(0, 3)]).toEqual([0.5, 2 / 3, 0.5]);
  });
});

test('anchor states: how many turns of the group share one, and how many have none to compare with', () => {
  const episodes = told([
    [
      [1, 5],
      [2, 5],
    ],
    [
      [1, 6],
      [1, 6],
    ],
    [[4, 6]],
    [[1, 5]],
    [[2, 5]],
    [[3, 5]],
  ]);
  const collected = { tasks: Float64Array.of(2), tokensGivenUp: 0, turnCaps: Float64Array.of(Number.NaN) };
  const { means } = summariseRollout(episodes, [false], collected, {});
  // Group 1: states 1, 2, 1, 1, 4, that is sizes 3, 1, 3, 3, 1. Group 2: three turns alone.
  expect(means.get('anchorSize')?.[0]).toBe((3 * 3 + 2 + 3) / 8);
  expect(means.get('anchorAlone')?.[0]).toBe(5 / 8);
});

describe('several verifiers', () => {
  const rules = (verifierCount: number, verifierVote: Arm['verifierVote'], verifierNoise = 0.25) =>
    rewardRules({ ...plain, verifierNoise, verifierCount, verifierVote });
  const rate = (own: ReturnType<typeof rules>, success: boolean): number => {
    let wrong = 0;
    for (let i = 0; i < 4000; i++) wrong += +isMisjudged(own, success, new RandomStream(3, STREAM.verifier, 0, 0, i));
    return wrong / 4000;
  };

  // Four deviations of 4,000 draws are at most 0.032.
  test.each([
    [1, 'majority', true, 0.25],
    [3, 'majority', true, 3 * 0.25 ** 2 * 0.75 + 0.25 ** 3],
    [2, 'majority', false, 0.25 ** 2],
    [3, 'all', true, 1 - 0.75 ** 3],
    [3, 'all', false, 0.25 ** 3],
  ] as const)('%i of them, by vote of %s, misjudge a success that is %s in %f', (count, vote, success, expected) => {
    expect(Math.abs(rate(rules(count, vote), success) - expected)).toBeLessThan(0.032);
  });

  test('draw nothing without noise, and one draws what it always drew', () => {
    const never = { unit: (): number => Number.NaN };
    expect(isMisjudged(rules(5, 'all', 0), true, never)).toBe(false);
    const draws = [0.2, 0.9];
    expect(isMisjudged(rules(1, 'majority'), true, { unit: () => draws.shift() ?? 1 })).toBe(true);
    expect(draws).toEqual([0.9]);
  });
});

/** One batch of an arm, played at random, in the preset's world. */
async function played(preset: string, arm: Arm): Promise<{ environment: Environment; trajectories: Trajectories }> {
  const { experiment } = findPreset(preset) as Preset;
  const environment = createEnvironment(experiment);
  const [groups, groupSize, chunk] = [60, 4, environment.context];
  const members = membersOf([arm], [0]);
  const decoder = randomDecoder(environment, groups * groupSize, 1, chunk);
  const trajectories = new Trajectories(1, groups * groupSize, environment.context, environment.maxTurns);
  const rollout = new Rollout(environment, decoder, members, { groups, groupSize, chunk });
  await rollout.run(trajectories, {
    arms: [arm],
    experimentSeed: 3,
    stream: STREAM.sampling,
    round: 0,
    drawTask: (_, group) => environment.drawTask(new RandomStream(3, STREAM.tasks, 0, 0, group)),
    read: async (all) => noteAgreement(trajectories, all, groupSize),
  });
  return { environment, trajectories };
}

describe('a rollout pays', () => {
  const arm: Arm = { ...plain, reward: { ...NOTHING, agreement: 1, variety: 1, calls: 1 } };
  const place = (part: (typeof REWARD_PART_IDS)[number]) => REWARD_PART_IDS.indexOf(part);

  test('what the calculator’s expert would have done, its one tool, and what the group answers', async () => {
    const { environment, trajectories } = await played('calculator-without-tool', arm);
    const { count, parts, turns, agreed, tasks } = trajectories;
    const world = environment.createWorld(1);
    let called = 0;
    for (let i = 0; i < count; i++) {
      world.reset(0, tasks[0]?.[Math.floor(i / 4)] as Int32Array, { emit: () => true });
      const words = trajectories.firstWords(i);
      let matched = 0;
      for (const word of words) {
        matched += +(word === world.expert?.(0)[0]);
        world.step(0, [word], { emit: () => true });
      }
      const of = (part: (typeof REWARD_PART_IDS)[number]) => parts[i * REWARD_PARTS + place(part)];
      expect(of('calls')).toBeCloseTo(matched / (turns[i] as number), 6);
      expect(of('variety')).toBe(words.some((word) => environment.toolWords?.includes(word)) ? 1 : 0);
      expect(of('agreement')).toBeCloseTo(agreed[i] as number, 6);
      called += of('variety') as number;
    }
    expect(called).toBeGreaterThan(0);
    expect(new Set(agreed).size).toBeGreaterThan(1);
  });
});

describe('a world that cannot tell', () => {
  const { experiment } = findPreset('gridworld-tiny') as Preset;
  test.each(['agreement', 'variety'] as const)('of %s refuses its weight', (part) => {
    const arms = experiment.arms.map((arm) => ({ ...arm, reward: { ...arm.reward, [part]: 1 } }));
    const { problems } = checkExperiment({ ...experiment, arms });
    expect(problems.map(({ path }) => path)).toEqual([`arms.${arms[0]?.id}.reward.${part}`]);
  });
});
