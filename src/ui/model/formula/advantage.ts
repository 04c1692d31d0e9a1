/** An arm's advantage, as a formula with a remark. */

import type { WorldWords } from '../../../environments/environment';
import { readerOf } from '../../../experiment/arm/armReader';
import { hasUntrainedCritic } from '../../../experiment/arm/relevance';
import type { Arm } from '../../../experiment/experiment';
import {
  brackets,
  call,
  fraction,
  index,
  letter,
  minus,
  type Notation,
  operator,
  over,
  plus,
  power,
  row,
  symbol,
  words,
} from '../../../foundation/notation';
import { advantageScale, deviation, groupFilter, whitening } from '../../../hyperparameters/advantage';
import { advantageBaseline } from '../../../hyperparameters/baseline';
import { advantageCredit, CREDIT } from '../../../hyperparameters/credit';
import { formatSetting } from '../../kit/format';
import { isPlainReward, rewardWords } from './rewardWords';
import { formulaOf, remarkOf, sum } from './shared';

const R = symbol('R', 'R');
const sigma = symbol('σ', 'sigma');

/** Baselines of every token's return by itself; the others are of the trajectory's score. A critic has no use for them. */
const isOfTokens = (arm: Arm): boolean =>
  arm.advantageBaseline === 'greedy' || arm.advantageBaseline.startsWith('optimal');

/** Each part of the reward against its own mean and deviation in the group (GDPO). */
function partsFormula(arm: Arm): Notation {
  const part = index(R, 'k');
  const centred = row(part, minus, words('mean'), part);
  const scaled =
    arm.advantageScale === 'group-deviation'
      ? fraction(centred, deviation(index(sigma, 'k'))(readerOf(arm)))
      : brackets(centred);
  return row(over(sum, 'parts'), index('w', 'k'), scaled);
}

/** Each turn's reward among the group's turns, and what follows it (IGPO). */
function turnsFormula(arm: Arm): Notation {
  const centred = row(index('r', 'j'), minus, words('mean'), 'r');
  const isDivided = arm.advantageScale.endsWith('deviation');
  const scaled = isDivided ? fraction(centred, deviation(sigma)(readerOf(arm))) : brackets(centred);
  const discounted = arm.turnDiscount === 1 ? [] : [power('γ', row('j', minus, 'k'))];
  return row(over(sum, 'j ≥ k'), ...discounted, scaled);
}

export function advantageFormula(arm: Arm, world: WorldWords | null): { formula: Notation; remark: string } {
  const { advantageCredit: credit } = arm;
  const isUntrained = hasUntrainedCritic(arm);
  const isCritic = credit === 'gae' || credit === 'bilevel-gae';
  const isTree = credit === 'tree';
  const isOfTurns = credit === 'turn-rewards';
  const takesSteps = arm.stepWeight > 0 && !isTree && !isOfTurns;
  const name = isUntrained ? letter('G') : formulaOf(advantageCredit, arm);
  const baseline = formulaOf(advantageBaseline, arm);
  const under = formulaOf(advantageScale, arm);
  const scaledBy = (what: Notation): Notation => (under === null ? what : fraction(what, under));
  const less = (what: Notation): Notation => (baseline === null ? what : row(what, minus, baseline));
  const credited = (score: Notation): Notation => {
    if (name === null) return score;
    if (!isTree) return call(name, score);
    // A difference of means: the returns they are of are named where they are not the score itself.
    return score === R ? name : row(name, words(', with returns of'), score);
  };
  const scaled = isOfTurns
    ? turnsFormula(arm)
    : arm.rewardSource === 'normalised-parts'
      ? credited(partsFormula(arm))
      : name === null || !isOfTokens(arm)
        ? credited(scaledBy(less(R)))
        : credit === 'reward-to-go'
          ? scaledBy(less(symbol('G', 'G')))
          : credited(scaledBy(R));
  const step = takesSteps ? [plus, ...(arm.stepWeight === 1 ? [] : [arm.stepWeight]), index('A', words('state'))] : [];
  const formula = row(symbol('A', 'A'), operator('=', 'is'), scaled, ...step);
  const lambda =
    arm.gaeLambdaLength > 0
      ? `λ = 1 − 1/(${formatSetting(arm.gaeLambdaLength)} · length), at least 0`
      : `λ = ${formatSetting(arm.gaeLambda)}`;
  const discount = `γ = ${formatSetting(arm.discount)}`;
  const isByParts = arm.rewardSource === 'normalised-parts';
  const share = `${formatSetting(Math.round(1000 * arm.groupFilterShare) / 10)}%`;
  const remarks = [
    isPlainReward(arm, world) ? null : `R = ${rewardWords(arm, world)}`,
    arm.rewardSource === 'parts' ? 'R at the last action' : null,
    isByParts
      ? 'mean and σ of each part in the group'
      : credit === 'outcome' && arm.advantageScale === 'group-deviation'
        ? 'mean and σ of the group’s rewards'
        : null,
    isUntrained ? 'G: the reward to go, since no critic is trained (V = 0)' : null,
    credit === 'gae' ? `${isUntrained ? 'discounted by γ · λ' : 'over a critic'}, ${discount}, ${lambda}` : null,
    credit === 'bilevel-gae'
      ? `turn by turn (γ = ${formatSetting(arm.turnDiscount)}), then within them (${discount}), ${lambda}`
      : null,
    credit === 'reward-to-go' ? `G: reward to go, ${discount}` : null,
    isOfTurns
      ? `r: what a turn is paid; ${remarkOf(CREDIT.turnComparison, arm)}; γ = ${formatSetting(arm.turnDiscount)} between turns`
      : null,
    isByParts || isOfTurns || ((isCritic || isTree) && isOfTokens(arm)) ? null : remarkOf(advantageBaseline, arm),
    isTree
      ? `Q: mean return of the group’s rollouts that did a at s; V′: mean return of all at s and of ${formatSetting(arm.treePrior)} more with the group’s mean score; γ = ${formatSetting(arm.turnDiscount)} between turns; ${remarkOf(CREDIT.treeState, arm)}`
      : null,
    takesSteps
      ? `A at a state: among turns that began with the same observation, γ = ${formatSetting(arm.turnDiscount)} between turns`
      : null,
    arm.rewardKl > 0 ? `R less ${formatSetting(arm.rewardKl)} · KL to the reference (${arm.rewardKlEstimator})` : null,
    arm.predictionReward > 0
      ? `R more by ${formatSetting(arm.predictionReward)} · mean probability of the observations`
      : null,
    arm.lengthPenaltyAction > 0 ? `R less ${formatSetting(arm.lengthPenaltyAction)} by number of action tokens` : null,
    arm.lengthPenaltyInput > 0 ? `R less ${formatSetting(arm.lengthPenaltyInput)} by number of other tokens` : null,
    arm.lengthPenaltyTurns > 0 ? `R less ${formatSetting(arm.lengthPenaltyTurns)} by number of turns` : null,
    remarkOf(whitening, arm),
    remarkOf(groupFilter, arm)?.replace('{share}', share) ?? null,
  ];
  return { formula, remark: remarks.filter((remark) => remark !== null).join('; ') };
}
