/** Numbers of many steered decisions: how often, and how far, the policy then decides as it does where it truly is there. */
import type { Decision, TriedBelief } from './steering';

/** Share of the decisions that moved, steered, in the mean over random directions, and steered to a third cell. */
export interface SteeringShares {
  /** Blocks before the change, and its strength. */
  readonly blocks: number;
  readonly strength: number;
  /**
   * Share of the changed beliefs after which the policy's likeliest action is the one it prefers in the cell that it was made to
   * believe in. Beliefs whose action was that one before do not count; NaN where none is left.
   */
  readonly follows: number;
  readonly randomFollows: number;
  readonly elsewhereFollows: number;
  /** 1 − KL(there ‖ after) / KL(there ‖ before), both summed over the beliefs: 1 is as there, below 0 is farther than before. */
  readonly closed: number;
  readonly randomClosed: number;
  readonly elsewhereClosed: number;
}

/** One entry for each place in the policy and strength. All of the tried have the same ones. */
export function sharesOf(tried: readonly TriedBelief[]): SteeringShares[] {
  const [first] = tried;
  const open = tried.filter(({ before, there }) => likeliest(before) !== likeliest(there));
  const apart = sum(tried, ({ before, there }) => divergence(there, before));
  return (first?.steered ?? []).map(({ blocks, strength, random: { length } }, at) => {
    const follows = (decisionOf: (one: TriedBelief) => Decision): number =>
      sum(open, (one) => Number(likeliest(decisionOf(one)) === likeliest(one.there))) / open.length;
    const shareClosed = (decisionOf: (one: TriedBelief) => Decision): number =>
      1 - sum(tried, (one) => divergence(one.there, decisionOf(one))) / apart;
    const overRandom = (value: (decisionOf: (one: TriedBelief) => Decision) => number): number =>
      sum([...Array(length).keys()], (k) => value((one) => one.steered[at].random[k])) / length;
    const decisionAfter = (one: TriedBelief): Decision => one.steered[at].after;
    const decisionElsewhere = (one: TriedBelief): Decision => one.steered[at].elsewhere;
    return {
      blocks,
      strength,
      follows: follows(decisionAfter),
      randomFollows: overRandom(follows),
      elsewhereFollows: follows(decisionElsewhere),
      closed: shareClosed(decisionAfter),
      randomClosed: overRandom(shareClosed),
      elsewhereClosed: shareClosed(decisionElsewhere),
    };
  });
}

/** Index of the likeliest action, the first of equals. */
export const likeliest = (decision: Decision): number => decision.indexOf(Math.max(...decision));

/** KL(p ‖ q), nats; infinite where q rules out an action that p takes. */
export function divergence(p: Decision, q: Decision): number {
  return p.reduce((total, value, i) => total + (value === 0 ? 0 : value * Math.log(value / q[i])), 0);
}

const sum = <T>(items: readonly T[], value: (one: T) => number): number =>
  items.reduce((total, one) => total + value(one), 0);
