/** Records turn by turn: calls of a tool with their places, and the pay of each step of a user's world. */
import { beforeAll, expect, test } from 'vitest';
import { calculator } from '../../src/environments/calculator/calculator';
import type { Environment } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { defaultArm } from '../../src/experiment/experiment';
import { summariseRollout } from '../../src/rl/measure/measure';
import { payEpisode, recordEpisode } from '../../src/rl/play/recording';
import { rewardRules } from '../../src/rl/play/rewards';
import { Trajectories } from '../../src/rl/play/trajectories';
import { stream } from '../support/episodes';
import { openWorld, walkText } from '../support/ownWorlds';

beforeAll(openWorlds);

const rules = rewardRules(defaultArm('a', 'A'));

/** Episodes of one member, of these actions by their words. */
function played(environment: Environment, episodes: readonly (readonly (readonly string[])[])[]): Trajectories {
  const { context, maxTurns } = environment;
  const trajectories = new Trajectories(1, episodes.length, context, maxTurns);
  const world = environment.createWorld(1);
  const random = stream(7);
  episodes.forEach((actions, i) => {
    const task = environment.drawTask(random);
    const act = (turn: number) => ({ tokens: (actions[turn] ?? []).map((word) => environment.words.indexOf(word)) });
    recordEpisode(environment, world, task, trajectories, i, act, rules);
    payEpisode(environment, world, 0, trajectories, i, rules);
  });
  return trajectories;
}

const collected = { tasks: Float64Array.of(1), tokensGivenUp: 0, turnCaps: Float64Array.of(3) };
const means = (trajectories: Trajectories, environment: Environment) => {
  const { means: found } = summariseRollout(trajectories, [false], collected, environment);
  const of = (name: 'toolCalls' | 'toolCallTurn' | 'turnCap') => found.get(name)?.[0];
  return [of('toolCalls'), of('toolCallTurn'), of('turnCap')];
};

test('calls of the tool are counted, with the turn they come in', () => {
  const environment = calculator.create({ tool: 'works', turns: 4 });
  const episodes = [[['CALC'], ['CALC'], ['1']], [['3']]];
  expect(means(played(environment, episodes), environment)).toEqual([1, 1.5, 3]);
  expect(means(played(environment, [[['3']]]), environment)).toEqual([0, Number.NaN, 3]);
  const none = calculator.create({ tool: 'none' });
  expect(means(played(none, [[['3']]]), none)).toEqual([Number.NaN, Number.NaN, 3]);
});

/** Pays 0.25 for every step to the right, and takes 0.5 for one to the left. */
const paying = walkText({
  fields: "heldOut: 0, tools: ['left']",
  step: `({ at }, action) => {
        const next = Math.min(length - 1, Math.max(0, at + (action === 'right' ? 1 : -1)));
        return { state: { at: next }, say: ['c' + next], reward: action === 'right' ? 0.25 : -0.5 };
      }`,
});

test('a world says what its tools are, and its steps are paid where they were made', async () => {
  const environment = await openWorld(paying);
  const actions = ['right', 'left', 'right', ...Array<string>(9).fill('right')].map((word) => [word]);
  const trajectories = played(environment, [actions]);
  expect(means(trajectories, environment)).toEqual([1, 2, 3]);
  const paid = Array.from(trajectories.turnEnds.subarray(0, 12), (end) => trajectories.tokenRewards[end]);
  expect(paid).toEqual([0.25, -0.5, 0.25, ...Array<number>(9).fill(0.25)]);
  expect(trajectories.rewards[0]).toBeCloseTo(11 * 0.25 - 0.5, 6);
  const wrong = paying.replace("['left']", "['jump']");
  await expect(openWorld(wrong)).rejects.toThrow(/“jump” in tools is no action \(line 8\)/);
});
