/** One member's settings of the advantages, named as in src/hyperparameters. */
import { ROLE, ROLES } from '../../../foundation/roles';
import { ADVANTAGE } from '../../../hyperparameters/advantage';
import { namesOf, readerOf } from '../../../hyperparameters/columns';
import type { FloatData } from '../../backend';
import { REWARD_PARTS } from '../../columns';
import { HYPER } from '../../layout';
import type { KlOptions } from '../kl';

export type AdvantageOptions = ReturnType<typeof optionsOf>;

const read = readerOf([...namesOf(ADVANTAGE), 'predictionReward', 'offMask']);

export function optionsOf(hyper: FloatData) {
  const options = read(hyper);
  const { advantageBaseline: baseline, advantageCredit: credit } = options;
  return {
    ...options,
    /** True for credits whose advantages are of turns, from tables of their group. */
    isByTurn: credit === 'tree' || credit === 'turn-rewards',
    /** True for the optimal token baselines, Σ G·W/Σ W; credits with a critic take none. */
    isOptimalToken: baseline.startsWith('optimal') && (credit === 'outcome' || credit === 'reward-to-go'),
    partWeights: Array.from({ length: REWARD_PARTS }, (_, k) => hyper[HYPER.rewardWeight + k]),
    kl: {
      klEstimator: options.rewardKlEstimator,
      klClamp: 'log-ratio-and-value',
      klStraightThrough: false,
    } as const satisfies KlOptions,
    lengthPenalty: [options.lengthPenaltyAction, options.lengthPenaltyInput, options.lengthPenaltyTurns] as const,
    policyGradient: ROLES.map((role) => hyper[HYPER.policyGradient + ROLE[role]]),
  };
}
