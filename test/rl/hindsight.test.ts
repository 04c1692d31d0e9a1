// Hindsight on a played batch: a retold trajectory is a whole episode of another task with the same actions, as if it had
// been recorded so, and rewarded by the arm's own rules. All other trajectories stay.
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { actionsOf } from '../../src/environments/replay';
import { type Arm, defaultArm } from '../../src/experiment/experiment';
import { ROLE } from '../../src/foundation/roles';
import { Hindsight } from '../../src/rl/play/hindsight';
import { payEpisode, recordEpisode } from '../../src/rl/play/recording';
import { rewardRules } from '../../src/rl/play/rewards';
import { Trajectories } from '../../src/rl/play/trajectories';
import { membersOf } from '../../src/rl/population';
import { REWARD_PARTS } from '../../src/tensor/columns';
import { playedAtRandom } from '../support/playedAtRandom';
import { spellingEnvironment } from '../support/spellingEnvironment';

const [groups, groupSize, chunk, SEED] = [40, 8, 8, 3];
const count = groups * groupSize;

const map = gridworld.create({ size: 4, horizon: 24, minimumDistance: 2, decoding: 'free' });
/** Environment in which hindsight turns an answer of one letter into a task that begins with this letter. */
const spelling: Environment = {
  ...spellingEnvironment,
  hindsight(task, tokens, roles) {
    const isLetter = (token: number): boolean => token >= 3 && token < 7;
    const answers = actionsOf(tokens, roles).map((action) => action.filter((token) => token !== 2));
    const answer = answers.filter(([letter = 0, ...more]) => isLetter(letter) && more.length === 0).at(-1);
    return answer === undefined ? null : Int32Array.of(answer[0] as number, task[1] as number);
  },
};

const armOf = (id: string, hindsight: number, more: Partial<Arm> = {}): Arm => ({
  ...defaultArm(id, id),
  ...more,
  hindsight,
});

const played = (environment: Environment, arms: readonly Arm[]): Promise<Trajectories> =>
  playedAtRandom(environment, arms, { groups, groupSize, chunk });

const relabel = (environment: Environment, trajectories: Trajectories, arms: readonly Arm[], update = 0) =>
  new Hindsight(environment, membersOf(arms, [0])).relabel(trajectories, arms, SEED, update);

/** Everything that losses and metrics read of one trajectory. */
function told(trajectories: Trajectories, i: number) {
  const { context, maxTurns } = trajectories;
  const turns = trajectories.turns[i] as number;
  const length = trajectories.lengths[i] as number;
  type Column = { slice(from: number, to: number): Iterable<number> };
  const part = (values: Column, from: number, size: number): number[] => [...values.slice(from, from + size)];
  const token = (values: Column) => part(values, i * context, length);
  const turn = (values: Column) => part(values, i * maxTurns, turns);
  return {
    tokens: token(trajectories.tokens),
    roles: token(trajectories.roles),
    legalSets: token(trajectories.legalSets),
    behaviourLogProb: token(trajectories.behaviourLogProb),
    tokenRewards: part(trajectories.tokenRewards, i * context, context),
    anchors: part(trajectories.anchors, i * maxTurns, maxTurns),
    earned: turn(trajectories.turnEarned),
    ends: turn(trajectories.turnEnds),
    warned: turn(trajectories.turnWarned),
    repeated: turn(trajectories.turnRepeated),
    progress: part(trajectories.turnProgress, i * (maxTurns + 1), maxTurns + 1),
    parts: part(trajectories.parts, i * REWARD_PARTS, REWARD_PARTS),
    turns,
    valid: trajectories.validShare[i],
    reward: trajectories.rewards[i],
    success: trajectories.successes[i],
    flip: trajectories.flips[i],
  };
}

/** Tokens of the actions and the log-probs that decoding recorded, in order. */
const drawn = ({ tokens, roles, behaviourLogProb }: ReturnType<typeof told>) =>
  tokens.flatMap((token, t) => (roles[t] === ROLE.action ? [[token, behaviourLogProb[t]]] : []));

describe.each([
  ['a map', map],
  ['a game of spelling, with actions of several tokens', spelling],
])('hindsight in %s', (_, environment) => {
  const mixed = { ...defaultArm('x', 'x').reward, format: 0.5, shaping: 0.3, repetition: 0.1 };
  const arm = armOf('all', 1, { reward: mixed, verifierNoise: 0.2 });

  test('tells failed episodes as they would have been, and leaves the others alone', async () => {
    const before = await played(environment, [arm]);
    const after = await played(environment, [arm]);
    const share = relabel(environment, after, [arm]);
    expect(share).toEqual(Float64Array.of(after.relabelled.size / count));
    expect(after.relabelled.size).toBeGreaterThan(15);
    const cut = new Set<boolean>();
    for (let i = 0; i < count; i++) {
      const [was, is] = [told(before, i), told(after, i)];
      const task = after.relabelled.get(i);
      if (task === undefined) {
        expect(is).toEqual(was);
        expect(after.taskOf(i)).toBe(after.tasks[0]?.[Math.floor(i / groupSize)]);
        continue;
      }
      expect([was.success, is.success]).toEqual([0, 1]);
      expect([after.taskOf(i), is.flip]).toEqual([task, was.flip]);
      expect(drawn(is)).toEqual(drawn(was).slice(0, drawn(is).length));
      cut.add(is.turns < was.turns);
      // The same actions recorded in the other task.
      const fresh = new Trajectories(1, 1, environment.context, environment.maxTurns);
      const world = environment.createWorld(1);
      const actions = actionsOf(was.tokens, was.roles);
      const logProbs = drawn(was).map(([, logProb]) => logProb as number);
      let at = 0;
      const act = (turn: number) => {
        const tokens = actions[turn] ?? [];
        at += tokens.length;
        return { tokens, logProbs: logProbs.slice(at - tokens.length, at) };
      };
      fresh.flips[0] = was.flip as number;
      recordEpisode(environment, world, task, fresh, 0, act, rewardRules(arm));
      payEpisode(environment, world, 0, fresh, 0, rewardRules(arm));
      expect(is).toEqual(told(fresh, 0));
      if (world.progress !== undefined) expect(is.progress.slice(0, is.turns + 1).some(Number.isNaN)).toBe(false);
      expect(is.tokenRewards.reduce((sum, reward) => sum + reward, 0)).toBeCloseTo(is.reward as number, 5);
    }
    expect(cut).toEqual(new Set([true, false]));
  });

  test('chooses the same episodes in every arm of a seed, more with more, others in other updates', async () => {
    const arms = [0.3, 0.7, 0.7, 0].map((share, i) => armOf(`a${i}`, share));
    const chosen = async (update = 0): Promise<number[][]> => {
      const trajectories = await played(environment, arms);
      const untouched = told(trajectories, 3 * count);
      const shares = relabel(environment, trajectories, arms, update);
      expect(told(trajectories, 3 * count)).toEqual(untouched);
      expect(shares[3]).toBeNaN();
      const all = [...trajectories.relabelled.keys()];
      return arms.map((_arm, p) => all.filter((i) => Math.floor(i / count) === p).map((i) => i % count));
    };
    const [few = [], many = [], twin, none] = await chosen();
    expect(twin).toEqual(many);
    expect(none).toEqual([]);
    expect(few.length).toBeGreaterThan(0);
    expect(many.length).toBeGreaterThan(few.length);
    expect(many).toEqual(expect.arrayContaining(few));
    expect(await chosen()).toEqual([few, many, twin, none]);
    expect((await chosen(1))[1]).not.toEqual(many);
  });
});

test('Hindsight finds nothing where the environment has none', async () => {
  const arm = armOf('all', 1);
  const trajectories = await played(spellingEnvironment, [arm]);
  expect(relabel(spellingEnvironment, trajectories, [arm])).toEqual(Float64Array.of(0));
  expect(trajectories.relabelled.size).toBe(0);
});
