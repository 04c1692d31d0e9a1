/** Advantages of turns by their own rewards, normalised among the turns of their group (IGPO, arXiv 2510.14967). */
import { turnReturns } from './credit';
import { type AdvantageMember, trajectoriesOfGroup } from './member';
import type { Shaped } from './scores';
import { divisorOfSpread, reciprocal, spreadOf } from './spread';

/**
 * A = Σ_{j ≥ k} turnDiscount^(j − k)·(r_j − mean)/deviation of each turn k, [B, turns]. r_j: the shaped reward of turn j; mean
 * and deviation are over the turns of the group's used trajectories, or over last turns and others apart (turnComparison).
 * Equal rewards give exactly 0.
 */
export function turnRewardAdvantages(member: AdvantageMember, shaped: readonly Shaped[]): Float64Array {
  const { options, B, turns } = member;
  const advantages = new Float64Array(B * turns);
  const isDeviation = options.advantageScale.endsWith('deviation');
  const isLast = (b: number, k: number): boolean =>
    options.turnComparison === 'last-apart' && k + 1 === member.trajectories[b]?.turns;
  for (let g = 0; g < member.groups; g++) {
    const used = trajectoriesOfGroup(member, g).filter((b) => shaped[b]?.used);
    const rewards = used.map((b) => turnReturns(member, b, shaped[b] as Shaped, 0));
    const [others, last] = [false, true].map((wanted) => {
      const alike = rewards.flatMap((own, i) => [...own].filter((_, k) => isLast(used[i], k) === wanted));
      const spread = spreadOf(alike);
      const divisor = isDeviation ? divisorOfSpread(spread, options.advantageDeviation, options.advantageEpsilon) : 1;
      return { mean: spread.mean, scale: spread.count > 1 ? reciprocal(divisor) : 0 };
    });
    used.forEach((b, i) => {
      let sum = 0;
      for (let k = rewards[i].length - 1; k >= 0; k--) {
        const { mean, scale } = isLast(b, k) ? last : others;
        sum = (rewards[i][k] - mean) * scale + options.turnDiscount * sum;
        advantages[b * turns + k] = sum;
      }
    });
  }
  return advantages;
}
