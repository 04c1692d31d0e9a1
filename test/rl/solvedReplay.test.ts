/** Replayed episodes in a batch: what was solved comes back token by token in every world, and only there. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { textFor } from '../../src/environments/own/shipped';
import { ownWorld } from '../../src/environments/own/world';
import { defaultSettings, environments } from '../../src/environments/registry';
import { expertThoughts } from '../../src/environments/replay';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { payEpisode, recordEpisode } from '../../src/rl/play/recording';
import { Replay } from '../../src/rl/play/replay';
import { rewardRules } from '../../src/rl/play/rewards';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';

beforeAll(openWorlds);

const [GROUPS, SIZE, SEED] = [3, 4, 5];
const B = GROUPS * SIZE;
const arm: Arm = { ...defaultArm('a', 'A'), replay: 'cross-entropy', replayShare: 0.25 };
const none: Arm = { ...defaultArm('b', 'B') };

/** A batch in which the expert plays the first episodes of each group and the others fail at once; log-probs are made up. */
function played(environment: Environment, arms: readonly Arm[], update: number, solved: number): Trajectories {
  const world = environment.createWorld(1);
  const trajectories = new Trajectories(arms.length, B, environment.context, environment.maxTurns);
  for (let i = 0; i < arms.length * B; i++) {
    const group = Math.floor((i % B) / SIZE);
    const task = environment.drawTask(new RandomStream(SEED, STREAM.tasks, 0, update, group), 'train', 0);
    (trajectories.tasks[Math.floor(i / B)] as Int32Array[])[group] = task;
    const isSolved = i % SIZE < solved;
    recordEpisode(environment, world, task, trajectories, i, (turn) =>
      isSolved || turn === 0
        ? { tokens: world.expert?.(0) ?? [], thoughts: expertThoughts(environment, world, 0) }
        : null,
    );
    payEpisode(environment, world, 0, trajectories, i, rewardRules(arms[Math.floor(i / B)] as Arm));
  }
  for (let at = 0; at < trajectories.roles.length; at++) {
    if (trajectories.legalSets[at] !== 0) trajectories.behaviourLogProb[at] = -((at % 97) + 1) / 64;
  }
  return trajectories;
}

/** All tokens of a trajectory, with what is known of each. */
function episode(trajectories: Trajectories, i: number) {
  const [first, end] = [i * trajectories.context, i * trajectories.context + (trajectories.lengths[i] as number)];
  const { tokens, roles, legalSets, behaviourLogProb } = trajectories;
  return [tokens, roles, legalSets, behaviourLogProb].map((values) => Array.from(values.subarray(first, end)));
}

const worlds: readonly (readonly [string, () => Environment])[] = [
  ...Object.values(environments).map(
    (one) => [one.id, () => one.create(defaultSettings(one.id))] as readonly [string, () => Environment],
  ),
  ['a world with thoughts', () => ownWorld(textFor('@sum'), {})],
];

describe.each(worlds)('In %s', (_, create) => {
  it('a solved episode comes back token by token, with the log-probs of the policy that played it', () => {
    const environment = create();
    const arms = [arm, none];
    const replay = new Replay(environment, membersOf(arms, [0]));
    const before = played(environment, arms, 0, 2);
    const solved = [...Array(B).keys()].filter((i) => before.successes[i] === 1);
    expect(solved.length).toBeGreaterThanOrEqual(GROUPS);
    const first = replay.run(before, arms, SEED, 0);
    expect([first.share[0], first.age[0], first.hits[0]]).toEqual([0, Number.NaN, 0]);
    expect(first.share[1]).toBeNaN();
    const held = first.held[0] as number;
    expect(held).toBeGreaterThan(0);
    expect(replay.save()[1]).toEqual([]);

    const after = played(environment, arms, 4, 1);
    const own = [...Array(2 * B).keys()].map((i) => episode(after, i));
    const { share, age } = replay.run(after, arms, SEED, 4);
    const places = Math.min(held, 3);
    expect([share[0], age[0]]).toEqual([places / B, 4]);
    const all = solved.map((i) => JSON.stringify(episode(before, i)));
    for (let i = 0; i < 2 * B; i++) {
      if (i < B - places || i >= B) {
        expect(after.replayed.has(i)).toBe(false);
        expect(episode(after, i)).toEqual(own[i]);
        continue;
      }
      expect(all).toContain(JSON.stringify(episode(after, i)));
      expect([after.successes[i], after.replayed.get(i)?.update]).toEqual([1, 0]);
      expect(after.taskOf(i)).toEqual(after.replayed.get(i)?.task);
    }
    after.clear();
    expect(after.replayed.size).toBe(0);
  });
});

describe('The advantage of a remembered episode', () => {
  const environment = environments.gridworld?.create(defaultSettings('gridworld')) as Environment;
  const advantages = (one: Arm, solved: number): (number | undefined)[] => {
    const replay = new Replay(environment, membersOf([one], [0]));
    replay.run(played(environment, [one], 0, solved), [one], SEED, 0);
    return (replay.save()[0] ?? []).map((record) => record[2]);
  };

  it('is its reward less its group’s mean, in deviations where the arm’s advantages are', () => {
    const plain = { ...arm, advantageScale: 'none' } as const;
    const scaled = { ...arm, advantageScale: 'group-deviation', advantageEpsilon: 0 } as const;
    // Rewards of a group 1, 0, 0, 0: three quarters, and over the sample's deviation of one half.
    expect(advantages(plain, 1)).toEqual([0.75, 0.75, 0.75]);
    for (const one of advantages(scaled, 1)) expect(one).toBeCloseTo(1.5, 10);
  });

  it('is above 0 in a replay by policy gradient: a group that all solve is not remembered', () => {
    const retrained = { ...arm, replay: 'policy-gradient' } as const;
    expect(advantages(retrained, 4)).toEqual([]);
    expect(advantages(retrained, 1)).toHaveLength(GROUPS);
    expect(advantages(arm, 4)).toHaveLength(GROUPS);
  });
});
