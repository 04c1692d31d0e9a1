/**
 * Sensitivity of the policy's predictions to actions: the cross-entropy of the environment's real answer after another
 * legal action, minus that after the action taken. It is 0 if the prediction ignores the action. A policy that knows what
 * its actions do finds the answer less likely after another one.
 */
import type { Environment, WorldSlots } from '../../../environments/environment';
import { actionsOf, drawAction, SILENT, type TurnSpan } from '../../../environments/replay';
import type { RandomStream } from '../../../foundation/philox';
import { ROLE } from '../../../foundation/roles';
import type { MemberSequence } from './scorer';

/** The episode up to the end of a turn, with another action in that turn. */
export interface Swap {
  readonly turn: TurnSpan;
  readonly sequence: MemberSequence;
}

/** Largest number of draws until an action differs: there may be no other legal one. */
const TRIES = 16;

/** Swaps of an episode: one for each turn with another legal action for which the context has room. */
export function swapActions(
  environment: Environment,
  task: Int32Array,
  episode: MemberSequence,
  turns: readonly TurnSpan[],
  random: RandomStream,
): Swap[] {
  const world = environment.createWorld(1);
  world.reset(0, task, SILENT);
  return actionsOf(episode.tokens, episode.roles).flatMap((action, index) => {
    const otherwise = otherAction(environment, world, action, random);
    world.step(0, action, SILENT);
    const turn = turns[index];
    if (otherwise === null || turn === undefined) return [];
    const sequence = withAction(episode, turn, otherwise);
    return sequence.tokens.length > environment.context ? [] : [{ turn, sequence }];
  });
}

function otherAction(
  environment: Environment,
  world: WorldSlots,
  action: readonly number[],
  random: RandomStream,
): readonly number[] | null {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const drawn = drawAction(environment, world, 0, random);
    if (drawn.join() !== action.join()) return drawn;
  }
  return null;
}

function withAction(
  { member, tokens, roles }: MemberSequence,
  turn: TurnSpan,
  action: readonly number[],
): MemberSequence {
  const { action: from, answer, end } = turn;
  const swapIn = (values: ArrayLike<number>, middle: readonly number[]): number[] => {
    const row = Array.from(values);
    return [...row.slice(0, from), ...middle, ...row.slice(answer, end)];
  };
  return {
    member,
    tokens: swapIn(tokens, action),
    roles: swapIn(
      roles,
      action.map(() => ROLE.action),
    ),
  };
}

/**
 * Mean over the answers' tokens of log-prob after the action taken − log-prob after another, nats; NaN without swaps.
 * truth: log-probs of the episode's tokens; swapped: those of each swap's sequence.
 */
export function sensitivityOf(
  swaps: readonly Swap[],
  truth: ArrayLike<number>,
  swapped: readonly ArrayLike<number>[],
): number {
  let [sum, tokens] = [0, 0];
  swaps.forEach(({ turn: { answer, end } }, index) => {
    const logProbs = swapped[index];
    for (let back = 1; back <= end - answer; back++) {
      sum += truth[end - back] - logProbs[logProbs.length - back];
      tokens += 1;
    }
  });
  return sum / tokens;
}
