/** Parts of an advantage that differ between tokens: the optimal token baseline, and GiGPO's comparison of turns. */
import { BOUND } from '../../bounds';
import type { Credit } from './credit';
import { type AdvantageMember, trajectoriesOfGroup } from './member';
import type { Shaped } from './scores';
import { divisorOfSpread, reciprocal, spreadOf } from './spread';

/**
 * Optimal token baseline, [B,T]: Σ G·W/Σ W over the group's trajectories with an action token in the same place, its
 * position or number of action tokens before. W sums |∂ log π/∂ logits|² = 1 − 2π + Σ_v π_v² over action tokens so far.
 */
export function optimalTokenBaseline(member: AdvantageMember, credits: readonly Credit[], shaped: readonly Shaped[]) {
  const { options, B, T, isAction, ordinal, oldLogProb, sumOfSquares, trajectories } = member;
  const baseline = new Float64Array(B * T);
  const byPlace = options.advantageBaseline.startsWith('optimal-turn');
  const [weights, gains] = [new Float64Array(B * T), new Float64Array(B * T)];
  const placeOf = (b: number, t: number): number => (byPlace ? ordinal[b * T + t] : t);
  for (let b = 0; b < B; b++) {
    let weight = 0;
    for (let t = 0; t < T; t++) {
      const at = b * T + t;
      if (!isAction[at]) continue;
      weight += 1 - 2 * Math.exp(oldLogProb[at]) + sumOfSquares[at];
      weights[b * T + placeOf(b, t)] = weight;
      gains[b * T + placeOf(b, t)] = credits[b]?.advantage[t];
    }
  }
  for (let g = 0; g < member.groups; g++) {
    const inGroup = trajectoriesOfGroup(member, g).filter((b) => shaped[b]?.used);
    if (inGroup.length < 2) continue;
    const lengths = inGroup.map((b) => trajectories[b]?.length ?? 0).sort((a, c) => c - a);
    const [longest, second] = lengths;
    for (const b of inGroup) {
      const { length, response } = trajectories[b] as AdvantageMember['trajectories'][number];
      const cut = options.advantageBaseline.endsWith('tail') && length === longest && longest > second;
      for (let t = 0; t < T; t++) {
        if (!isAction[b * T + t]) continue;
        const place = placeOf(b, t);
        if (cut && (byPlace ? place : t - response) >= second) continue;
        let [numerator, denominator] = [0, 0];
        for (const other of inGroup) {
          const weight = weights[other * T + place];
          numerator += weight * gains[other * T + place];
          denominator += weight;
        }
        baseline[b * T + t] = numerator / (denominator + BOUND.weight);
      }
    }
  }
  return baseline;
}

/**
 * GiGPO's step part of each turn, [B, turns]: w·(R − mean)/deviation over the group's turns that began in the same
 * state, w = stepWeight. R is the return from that turn on, discounted by turnDiscount a turn.
 */
export function stepAdvantages(member: AdvantageMember, shaped: readonly Shaped[]): Float64Array {
  const { options, B, T, turns, isAction, endsTurn, turn, tokenReward, turnAnchor } = member;
  const steps = new Float64Array(B * turns);
  if (options.stepWeight === 0) return steps;
  const returns = new Float64Array(B * turns);
  const turnsOf = (b: number): number => Math.min(turns, member.trajectories[b]?.turns ?? 0);
  for (let b = 0; b < B; b++) {
    let sum = 0;
    for (let t = T - 1; t >= 0; t--) {
      const at = b * T + t;
      if (endsTurn[at]) sum *= options.turnDiscount;
      if (isAction[at]) sum += tokenReward[at];
      const k = turn[at];
      if (k < turnsOf(b)) returns[b * turns + k] = sum;
    }
  }
  const isDeviation = options.advantageScale.endsWith('deviation');
  for (let g = 0; g < member.groups; g++) {
    const inGroup = trajectoriesOfGroup(member, g).filter((b) => shaped[b]?.used);
    const places = inGroup.flatMap((b) => Array.from({ length: turnsOf(b) }, (_, k) => b * turns + k));
    for (const at of places) {
      const same = places.filter((other) => turnAnchor[other] === turnAnchor[at]);
      const spread = spreadOf(same.map((other) => returns[other]));
      const divisor = isDeviation ? divisorOfSpread(spread, options.advantageDeviation, options.advantageEpsilon) : 1;
      const centred = returns[at] - spread.mean;
      steps[at] = options.stepWeight * centred * (spread.count > 1 ? reciprocal(divisor) : 0);
    }
  }
  return steps;
}
