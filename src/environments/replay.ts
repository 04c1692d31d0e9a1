/** Replay of trajectories: the policy's actions turn by turn, so that a world can be stepped through them again. */
import { RandomStream } from '../foundation/philox';
import { beginsTurn, isDrawn, ROLE } from '../foundation/roles';
import type { Emission, Environment, Thoughts, WorldSlots } from './environment';

/** Emission that drops all tokens. */
export const SILENT: Emission = { emit: () => true };

/**
 * Positions of a turn: thoughts, where there are any, from `begin`, the action from `action`, the answer (observation or
 * warning) from `answer`, all before `end`.
 */
export interface TurnSpan {
  readonly begin: number;
  readonly action: number;
  readonly answer: number;
  readonly end: number;
}

/** Turns of an episode: what the policy drew and the environment's answers. */
export function turnsOf(roles: ArrayLike<number>): TurnSpan[] {
  const turns: { begin: number; action: number; answer: number; end: number }[] = [];
  for (let t = 0; t < roles.length; t++) {
    if (beginsTurn(roles, t)) turns.push({ begin: t, action: t, answer: t, end: t });
    const turn = turns.at(-1);
    if (turn === undefined) continue;
    turn.end = t + 1;
    if (isDrawn(roles[t])) turn.answer = t + 1;
    if (roles[t] === ROLE.thought) turn.action = t + 1;
  }
  return turns;
}

/** Actions of a trajectory in order, each as the tokens of its turn without thoughts. Turns need an answer between them. */
export function actionsOf(tokens: ArrayLike<number>, roles: ArrayLike<number>): number[][] {
  return turnsOf(roles).map(({ action, answer }) =>
    Array.from({ length: answer - action }, (_, i) => tokens[action + i]),
  );
}

/** Environment that an episode is played in: a part of a mixture, or the environment itself where it has no parts. */
export function playedIn(environment: Environment, part: number): Environment {
  return environment.parts?.[part]?.environment ?? environment;
}

/** Legal set that the slot's next action is drawn from; 0 for all words. */
export const drawnSet = (world: WorldSlots, slot: number): number =>
  world.isFree?.(slot) === true ? 0 : world.legalSet(slot);

/** Largest number of tokens of the slot's next action. */
export function longestAction(environment: Environment, world: WorldSlots, slot: number): number {
  return world.maxActionTokens?.(slot) ?? environment.maxActionTokens;
}

/** True where the last of the tokens drawn so far ends the action. */
export function isActionOver(environment: Environment, drawn: readonly number[]): boolean {
  const { stopToken, stopTokens = [] } = environment;
  const last = drawn[drawn.length - 1];
  if (last === stopToken || stopTokens.includes(last)) return true;
  // A token behind a stop would be none of the action's.
  const length = environment.actionLength?.([...drawn, last]);
  return length !== undefined && length <= drawn.length;
}

/** Thoughts before the slot's next action; null where there are none. */
export function thoughtsOf({ thoughts }: Environment, world: WorldSlots, slot: number): Thoughts | null {
  return thoughts !== undefined && (world.hasThoughts?.(slot) ?? true) ? thoughts : null;
}

/** The expert's thoughts before the slot's next action; none where the policy only acts. */
export function expertThoughts(environment: Environment, world: WorldSlots, slot: number): readonly number[] {
  const thoughts = thoughtsOf(environment, world, slot);
  return thoughts === null ? [] : (world.thinks?.(slot) ?? [thoughts.end]);
}

/** Thoughts drawn uniformly, until the token that ends them or the most there may be; none where the policy only acts. */
export function drawThoughts(
  environment: Environment,
  world: WorldSlots,
  slot: number,
  random: RandomStream,
): number[] {
  const thoughts = thoughtsOf(environment, world, slot);
  const words = environment.legalSets[(thoughts?.legalSet ?? 0) - 1] ?? [];
  const drawn: number[] = [];
  while (thoughts !== null && drawn.length < thoughts.most && drawn.at(-1) !== thoughts.end) {
    drawn.push(words[random.below(words.length)]);
  }
  return drawn;
}

/** Largest number of tokens that the policy draws in the slot's next turn, thoughts and action together. */
export function longestDraw(environment: Environment, world: WorldSlots, slot: number): number {
  return longestAction(environment, world, slot) + (thoughtsOf(environment, world, slot)?.most ?? 0);
}

/** Largest number of tokens drawn one after the other: of an action, or of the thoughts before it. */
export const mostDrawn = ({ maxActionTokens, thoughts }: Environment): number =>
  Math.max(maxActionTokens, thoughts?.most ?? 0);

/** Steps slot 0 of a world through the actions of a trajectory. */
export function replay(world: WorldSlots, task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): void {
  world.reset(0, task, SILENT);
  for (const action of actionsOf(tokens, roles)) world.step(0, action, SILENT);
}

/** Draws an action token by token, uniformly among the legal ones, until the stop token or the longest action. */
export function drawAction(environment: Environment, world: WorldSlots, slot: number, random: RandomStream): number[] {
  const legal = environment.legalSets[drawnSet(world, slot) - 1];
  const most = longestAction(environment, world, slot);
  const action: number[] = [];
  while (action.length < most) {
    const token = legal === undefined ? random.below(environment.words.length) : legal[random.below(legal.length)];
    action.push(token);
    if (token === environment.stopToken || environment.stopTokens?.includes(token)) break;
  }
  return action.slice(0, environment.actionLength?.(action));
}

/** Success rate of the uniformly random legal policy on training tasks, over simulated episodes, always the same ones. */
export function simulateRandomSuccess(environment: Environment, episodes: number): number {
  const simulation = randomSuccesses(environment, episodes);
  for (;;) {
    const { done, value } = simulation.next();
    if (done) return value;
  }
}

/** Generator behind simulateRandomSuccess(): it returns the success rate and pauses after every episode. */
export function* randomSuccesses(environment: Environment, episodes: number): Generator<undefined, number> {
  const world = environment.createWorld(1);
  const random = new RandomStream(0x72616e64, 0, 0, 0, 0);
  let successes = 0;
  for (let episode = 0; episode < episodes; episode++) {
    world.reset(0, environment.drawTask(random), SILENT);
    while (!world.isDone(0)) world.step(0, drawAction(environment, world, 0, random), SILENT);
    if (world.isSuccess(0)) successes += 1;
    yield;
  }
  return successes / episodes;
}

/**
 * Largest number of tokens a trajectory can gain between two draws: its prompt, which is what a world's context leaves beside all
 * of its turns, or the last word of an action and what is said to it.
 */
export function decoderChunk(environment: Environment): number {
  const { parts, context, maxTurns, maxActionTokens, maxObservationTokens, thoughts } = environment;
  if (parts !== undefined) return Math.max(...parts.map((part) => decoderChunk(part.environment)));
  const turn = (thoughts?.most ?? 0) + maxActionTokens + maxObservationTokens;
  return Math.max(context - maxTurns * turn, 1 + maxObservationTokens);
}
