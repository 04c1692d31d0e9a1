/** Credit: a trajectory's reward spread over its tokens, by running sums from the last token to the first. */
import type { AdvantageMember } from './member';
import type { AdvantageOptions } from './options';
import type { Shaped } from './scores';

/**
 * One trajectory's advantages, before token baselines and whitening, and its targets for the critic; [T] each. 0 under
 * credit tree and turn-rewards, whose advantages are of turns.
 */
export interface Credit {
  readonly advantage: Float64Array;
  readonly returns: Float64Array;
}

interface Step {
  readonly reward: Float64Array;
  readonly value: (t: number) => number;
  readonly discount: number;
  readonly lambda: number;
}

export function creditOf(member: AdvantageMember, b: number, shaped: Shaped): Credit {
  const { options, T, isAction, oldValue, trajectories } = member;
  const first = b * T;
  if (options.advantageCredit === 'outcome') {
    const advantage = new Float64Array(T);
    for (let t = 0; t < T; t++) if (isAction[first + t]) advantage[t] = shaped.shaped;
    return { advantage, returns: advantage };
  }
  if (options.isByTurn) {
    const none = new Float64Array(T);
    return { advantage: none, returns: none };
  }
  const reward = shapedRewards(member, b, shaped);
  const { discount } = options;
  if (options.advantageCredit === 'reward-to-go') {
    const sums = generalised(member, b, { reward, value: () => 0, discount, lambda: 1 });
    return { advantage: sums, returns: sums };
  }
  const run = options.advantageCredit === 'gae' ? generalised : bilevel;
  const value = (t: number): number => oldValue[first + t];
  const lambda = lambdaOf(options, trajectories[b]?.length ?? 0);
  const advantage = run(member, b, { reward, value, discount, lambda });
  const towards = options.returnLambda === 'same' ? advantage : run(member, b, { reward, value, discount, lambda: 1 });
  const hasValue = (t: number): boolean =>
    isAction[first + t] === 1 || (options.offMask !== 'zero' && options.creditClock !== 'every-token');
  return { advantage, returns: towards.map((sum, t) => (hasValue(t) ? sum + value(t) : sum)) };
}

/**
 * Reward of each action token, [T], less rewardKl · its KL. Token rewards are scaled by factor; the last action token
 * also takes (added − baseline)·factor. Without token rewards the last action token takes the whole shaped score.
 */
function shapedRewards(member: AdvantageMember, b: number, { shaped, baseline, factor, added }: Shaped): Float64Array {
  const { options, T, isAction, tokenReward, kl, trajectories } = member;
  const reward = new Float64Array(T);
  for (let t = 0; t < T; t++) {
    const at = b * T + t;
    if (!isAction[at]) continue;
    const isLast = t === trajectories[b]?.last;
    if (options.rewardSource === 'tokens') {
      reward[t] = (tokenReward[at] + (isLast ? added - baseline : 0)) * factor;
    } else if (isLast) {
      reward[t] = shaped;
    }
    reward[t] -= options.rewardKl * kl[at];
  }
  return reward;
}

/**
 * Shaped rewards from each turn on, [turns taken], discounted by `discount` from turn to turn: with 0 those of the turn alone. A
 * turn has the tokens since the one before it ended.
 */
export function turnReturns(member: AdvantageMember, b: number, shaped: Shaped, discount: number): Float64Array {
  const { T, turns, endsTurn, turn } = member;
  const played = Math.min(turns, member.trajectories[b]?.turns ?? 0);
  const reward = shapedRewards(member, b, shaped);
  const gained = new Float64Array(played);
  let sum = 0;
  for (let t = T - 1; t >= 0; t--) {
    const at = b * T + t;
    if (endsTurn[at]) sum *= discount;
    sum += reward[t];
    if (turn[at] < played) gained[turn[at]] = sum;
  }
  return gained;
}

function lambdaOf({ gaeLambda, gaeLambdaLength }: AdvantageOptions, length: number): number {
  return gaeLambdaLength > 0 ? Math.max(0, 1 - 1 / (gaeLambdaLength * Math.max(length, 1))) : gaeLambda;
}

/** GAE: δ_t = r_t + γ·V_next − V_t, A_t = δ_t + γ·λ·A_next. Tokens that are not counted pass V_next and A_next on. */
function generalised(
  { options, T, isTarget, isAction, endsTurn }: AdvantageMember,
  b: number,
  { reward, value, discount, lambda }: Step,
): Float64Array {
  const sums = new Float64Array(T);
  let [nextValue, sum] = [0, 0];
  for (let t = T - 1; t >= 0; t--) {
    const at = b * T + t;
    if (isAction[at] || (isTarget[at] && options.creditClock === 'every-token')) {
      const valueHere = isAction[at] ? value(t) : 0;
      const isStep = options.creditClock !== 'turns' || endsTurn[at] === 1;
      const g = isStep ? discount : 1;
      sum = reward[t] + g * nextValue - valueHere + g * (isStep ? lambda : 1) * sum;
      nextValue = valueHere;
    }
    sums[t] = sum;
  }
  return sums;
}

/** Bilevel GAE: first between the ends of turns, with turnDiscount; then inside each turn, from the sum at its end. */
function bilevel(
  { options, T, isAction, endsTurn }: AdvantageMember,
  b: number,
  { reward, value, discount, lambda }: Step,
): Float64Array {
  const sums = new Float64Array(T);
  const { turnDiscount } = options;
  let [turnValue, turnSum, nextValue, sum] = [0, 0, 0, 0];
  for (let t = T - 1; t >= 0; t--) {
    const at = b * T + t;
    if (endsTurn[at]) {
      const valueHere = value(t);
      turnSum = reward[t] + turnDiscount * turnValue - valueHere + turnDiscount * lambda * turnSum;
      turnValue = valueHere;
      sum = turnSum;
      nextValue = valueHere;
    } else if (isAction[at]) {
      const own = value(t);
      sum = reward[t] + discount * nextValue - own + discount * lambda * sum;
      nextValue = own;
    }
    sums[t] = sum;
  }
  return sums;
}
