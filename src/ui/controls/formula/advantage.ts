/** What an arm's advantage is, as a formula with a remark. */
import type { Arm } from '../../../experiment/experiment';
import { hasUntrainedCritic } from '../../../experiment/relevance';
import {
  brackets,
  call,
  type Formula,
  fraction,
  index,
  minus,
  operator,
  over,
  plus,
  power,
  root,
  row,
  symbol,
  words,
} from '../../../foundation/formula';
import { formatSetting } from '../../format';
import { isPlainReward, rewardWords } from '../rewardWords';
import { sum } from './shared';

const R = symbol('R', 'R');
const sigma = symbol('σ', 'sigma');

const NAMES: Readonly<Record<Arm['advantageCredit'], string | null>> = {
  outcome: null,
  'reward-to-go': 'G',
  gae: 'GAE',
  'bilevel-gae': 'GAE',
};

/** Baselines of every token's return by itself; the others are of the trajectory's score. A critic has no use for them. */
const isOfTokens = (arm: Arm): boolean =>
  arm.advantageBaseline === 'greedy' || arm.advantageBaseline.startsWith('optimal');

const BASELINES: Readonly<Record<Arm['advantageBaseline'], Formula | null>> = {
  'group-mean': row(words('mean'), R),
  none: null,
  'leave-one-out': row(words('mean of the others’'), R),
  'length-weighted-mean': row(words('mean by length of'), R),
  greedy: index(R, words('greedy')),
  'second-best': index(R, words('2nd')),
  'batch-mean': index(row(words('mean'), R), words('batch')),
  'optimal-token': symbol('b', 'b'),
  'optimal-token-tail': symbol('b', 'b'),
  'optimal-turn-token': symbol('b', 'b'),
  'optimal-turn-token-tail': symbol('b', 'b'),
};

const REMARKS: Readonly<Partial<Record<Arm['advantageBaseline'], string>>> = {
  'second-best': 'the best of the group only, the others 0',
  'optimal-token': 'b: least variance at this position',
  'optimal-token-tail': 'b: least variance at this position',
  'optimal-turn-token': 'b: least variance at this action token',
  'optimal-turn-token-tail': 'b: least variance at this action token',
};

/** A deviation with ε where its form has it. */
function deviation(arm: Arm, of: Formula): Formula {
  const epsilon = arm.advantageEpsilon;
  if (arm.advantageDeviation.endsWith('variance')) return root(row(power(of, 2), plus, epsilon));
  if (arm.advantageDeviation.endsWith('floor')) return root(call('max', power(of, 2), epsilon));
  return row(of, plus, epsilon);
}

function divisor(arm: Arm): Formula | null {
  switch (arm.advantageScale) {
    case 'none':
      return null;
    case 'group-deviation':
      return deviation(arm, sigma);
    case 'batch-deviation':
      return deviation(arm, index(sigma, words('batch')));
    case 'environment-deviation':
      return deviation(arm, index(sigma, words('environment')));
    case 'group-mean':
      return row(words('mean'), R, plus, arm.advantageEpsilon);
    case 'nonzero-share':
      return words('share of R that is not 0');
    default:
      return arm.advantageScale satisfies never;
  }
}

const WHITENED: Readonly<Record<Arm['whitening'], string | null>> = {
  none: null,
  tokens: 'whitened over action tokens',
  'tokens-keep-mean': 'divided by its deviation over action tokens',
  'task-tokens': 'whitened over the task’s action tokens',
  trajectories: 'whitened over trajectories',
  'trajectory-scale': 'divided by its deviation over trajectories',
};

const FILTERED: Readonly<Record<Arm['groupFilter'], (arm: Arm) => string | null>> = {
  none: () => null,
  unequal: () => 'groups whose rewards are all equal are left out',
  'top-deviation': ({ groupFilterShare }) =>
    `only the ${formatSetting(Math.round(1000 * groupFilterShare) / 10)}% of groups with the largest deviation`,
  'variance-mass': ({ groupFilterShare }) =>
    `only groups that hold ${formatSetting(Math.round(1000 * groupFilterShare) / 10)}% of the variance`,
};

/** Each part of the reward against its own mean and deviation in the group (GDPO). */
function partsFormula(arm: Arm): Formula {
  const part = index(R, 'k');
  const centred = row(part, minus, words('mean'), part);
  const scaled =
    arm.advantageScale === 'group-deviation' ? fraction(centred, deviation(arm, index(sigma, 'k'))) : brackets(centred);
  return row(over(sum, 'parts'), index('w', 'k'), scaled);
}

export function advantageFormula(arm: Arm): { formula: Formula; remark: string } {
  const { advantageCredit: credit } = arm;
  const isUntrained = hasUntrainedCritic(arm);
  const isCritic = credit === 'gae' || credit === 'bilevel-gae';
  const name = isUntrained ? 'G' : NAMES[credit];
  const baseline = BASELINES[arm.advantageBaseline];
  const under = divisor(arm);
  const scaledBy = (what: Formula): Formula => (under === null ? what : fraction(what, under));
  const less = (what: Formula): Formula => (baseline === null ? what : row(what, minus, baseline));
  const scaled =
    arm.rewardSource === 'normalised-parts'
      ? name === null
        ? partsFormula(arm)
        : call(name, partsFormula(arm))
      : name === null
        ? scaledBy(less(R))
        : !isOfTokens(arm)
          ? call(name, scaledBy(less(R)))
          : credit === 'reward-to-go'
            ? scaledBy(less(symbol('G', 'G')))
            : call(name, scaledBy(R));
  const step =
    arm.stepWeight > 0 ? [plus, ...(arm.stepWeight === 1 ? [] : [arm.stepWeight]), index('A', words('state'))] : [];
  const formula = row(symbol('A', 'A'), operator('=', 'is'), scaled, ...step);
  const lambda =
    arm.gaeLambdaLength > 0
      ? `λ = 1 − 1/(${formatSetting(arm.gaeLambdaLength)} · length), at least 0`
      : `λ = ${formatSetting(arm.gaeLambda)}`;
  const discount = `γ = ${formatSetting(arm.discount)}`;
  const isByParts = arm.rewardSource === 'normalised-parts';
  const remarks = [
    isPlainReward(arm) ? null : `R = ${rewardWords(arm)}`,
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
    isByParts || (isCritic && isOfTokens(arm)) ? null : (REMARKS[arm.advantageBaseline] ?? null),
    arm.stepWeight > 0
      ? `A at a state: among turns that began with the same observation, γ = ${formatSetting(arm.turnDiscount)} between turns`
      : null,
    arm.rewardKl > 0 ? `R less ${formatSetting(arm.rewardKl)} · KL to the reference (${arm.rewardKlEstimator})` : null,
    arm.predictionReward > 0
      ? `R more by ${formatSetting(arm.predictionReward)} · mean probability of the observations`
      : null,
    arm.lengthPenaltyAction > 0 ? `R less ${formatSetting(arm.lengthPenaltyAction)} by number of action tokens` : null,
    arm.lengthPenaltyInput > 0 ? `R less ${formatSetting(arm.lengthPenaltyInput)} by number of other tokens` : null,
    arm.lengthPenaltyTurns > 0 ? `R less ${formatSetting(arm.lengthPenaltyTurns)} by number of turns` : null,
    WHITENED[arm.whitening],
    FILTERED[arm.groupFilter](arm),
  ];
  return { formula, remark: remarks.filter((remark) => remark !== null).join('; ') };
}
