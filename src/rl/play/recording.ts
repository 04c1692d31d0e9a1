/** Recording of episodes in trajectories: whole ones where something other than the decoder acts, progress, and pay. */
import type { Emission, Environment, WorldSlots } from '../../environments/environment';
import { drawnSet, longestDraw, playedIn, thoughtsOf } from '../../environments/replay';
import { REWARD_PARTS } from '../../tensor/columns';
import { isPaid, needsProgress, type RewardRules, scoreEpisode } from './rewards';
import type { Trajectories } from './trajectories';

/** Tokens of an action, and the log-prob of each under the policy that drew it; 0 where none did. */
export interface RecordedAction {
  readonly tokens: ArrayLike<number>;
  /** Thoughts before it; only the token that ends them, if left out where there have to be some. */
  readonly thoughts?: readonly number[];
  readonly logProbs?: ArrayLike<number>;
  readonly thoughtLogProbs?: ArrayLike<number>;
}

/** Emission that appends a world's words to the trajectory. */
export function emissionInto(trajectories: Trajectories, trajectory: number): Emission {
  return { emit: (token, role) => trajectories.appendSaid(trajectory, token, role) };
}

/**
 * Plays an episode in slot 0 of a world into an empty trajectory, until the world is done or turns or room are used up. `act`
 * gives the action of each turn; null ends the episode. Progress is noted where `rules` need it.
 */
export function recordEpisode(
  environment: Environment,
  world: WorldSlots,
  task: Int32Array,
  trajectories: Trajectories,
  trajectory: number,
  act: (turn: number) => RecordedAction | null,
  rules?: RewardRules,
): void {
  const { context, lengths } = trajectories;
  const emission = emissionInto(trajectories, trajectory);
  const note = (): void => {
    if (rules !== undefined) noteProgress(world, 0, trajectories, trajectory, rules);
  };
  const hasRoom = (): boolean => lengths[trajectory] + longestDraw(environment, world, 0) <= context;
  trajectories.environments[trajectory] = environment.environmentOf?.(task) ?? 0;
  world.reset(0, task, emission);
  note();
  for (let turn = 0; turn < environment.maxTurns && !world.isDone(0) && hasRoom(); turn++) {
    const legalSet = drawnSet(world, 0);
    const anchor = trajectories.anchorOf(trajectory);
    const before = world.reward(0);
    const thoughts = thoughtsOf(environment, world, 0);
    const action = act(turn);
    if (action === null) return;
    const { tokens, logProbs, thoughts: thought = [thoughts?.end ?? 0], thoughtLogProbs } = action;
    if (thoughts !== null) {
      thought.forEach((token, i) => {
        trajectories.appendDrawn(trajectory, token, thoughts.legalSet, thoughtLogProbs?.[i] ?? 0, 'thought');
      });
    }
    for (let i = 0; i < tokens.length; i++) {
      trajectories.appendDrawn(trajectory, tokens[i], legalSet, logProbs?.[i] ?? 0);
    }
    const actionEnd = lengths[trajectory];
    if (rules !== undefined) noteMatch(world, 0, trajectories, trajectory, tokens, rules);
    world.step(0, tokens, emission);
    trajectories.endTurn(trajectory, actionEnd, world.reward(0) - before, anchor);
    trajectories.addFloor(trajectory, world.entropyFloor?.(0) ?? Number.NaN);
    note();
  }
}

/** Notes the progress of an episode, where a part of the reward needs it. */
export function noteProgress(
  world: WorldSlots,
  slot: number,
  trajectories: Trajectories,
  trajectory: number,
  rules: RewardRules,
): void {
  if (world.progress === undefined || !needsProgress(rules)) return;
  const at = trajectory * (trajectories.maxTurns + 1) + trajectories.turns[trajectory];
  trajectories.turnProgress[at] = world.progress(slot);
}

/** Notes the share of an action, not yet taken, that the expert would do in its place, where the reward pays for that. */
export function noteMatch(
  world: WorldSlots,
  slot: number,
  trajectories: Trajectories,
  trajectory: number,
  action: ArrayLike<number>,
  rules: RewardRules,
): void {
  if (world.expert === undefined || !isPaid(rules, 'calls')) return;
  const expert = world.expert(slot);
  const same = expert.filter((word, i) => word === action[i]).length;
  const at = trajectory * trajectories.maxTurns + trajectories.turns[trajectory];
  trajectories.turnMatched[at] = same / Math.max(expert.length, action.length);
}

/** Pays an episode that has ended in a slot of a world; `flips` tells whether its verdict is flipped. */
export function payEpisode(
  environment: Environment,
  world: WorldSlots,
  slot: number,
  trajectories: Trajectories,
  trajectory: number,
  rules: RewardRules,
): void {
  const { context } = trajectories;
  const { maxTurns, maxActionTokens, thoughts } = playedIn(environment, trajectories.environments[trajectory]);
  const turns = trajectories.turns[trajectory];
  const success = world.isSuccess(slot);
  const first = trajectory * trajectories.maxTurns;
  const ends = trajectories.turnEnds.subarray(first, first + turns);
  const tools = environment.toolWords ?? [];
  const { total, parts, turnRewards } = scoreEpisode(
    {
      reward: world.reward(slot),
      earned: trajectories.turnEarned.subarray(first, first + turns),
      success,
      flipped: trajectories.flips[trajectory] === 1,
      turns,
      maxTurns,
      actionTokens: trajectories.actionTokens(trajectory),
      maxActionTokens: maxTurns * (maxActionTokens + (thoughts?.most ?? 0)),
      warned: trajectories.turnWarned.subarray(first, first + turns),
      repeated: trajectories.turnRepeated.subarray(first, first + turns),
      progress: trajectories.turnProgress.subarray(first + trajectory, first + trajectory + turns + 1),
      known: trajectories.turnKnown.subarray(first, first + turns),
      agreed: trajectories.agreed[trajectory],
      tool: isPaid(rules, 'variety') ? trajectories.firstWords(trajectory).map((word) => tools.indexOf(word)) : [],
      tools: tools.length,
      matched: trajectories.turnMatched.subarray(first, first + turns),
    },
    rules,
  );
  trajectories.rewards[trajectory] = total;
  trajectories.successes[trajectory] = success ? 1 : 0;
  trajectories.parts.set(parts, trajectory * REWARD_PARTS);
  turnRewards.forEach((reward, turn) => {
    trajectories.tokenRewards[trajectory * context + ends[turn]] = reward;
  });
}
