/** One member's choices, read from its row of the hyperparameter table. Meanings: ../../columns/advantage.ts. */
import type { FloatData } from '../../backend';
import {
  BASELINES,
  CLOCKS,
  CREDITS,
  DEVIATIONS,
  GROUP_FILTERS,
  OFF_MASKS,
  RETURN_LAMBDAS,
  REWARD_KL_ESTIMATORS,
  REWARD_SOURCES,
  SCALES,
  SINGLETONS,
  WHITENINGS,
} from '../../columns/advantage';
import { REWARD_PARTS } from '../../columns/batch';
import { HYPER } from '../../layout';
import type { KlOptions } from '../kl';

export type Options = ReturnType<typeof optionsOf>;

export function optionsOf(hyper: FloatData) {
  const number = (column: number): number => hyper[column] as number;
  const choice = <C extends string>(choices: readonly C[], column: number): C => choices[number(column)] as C;
  const baseline = choice(BASELINES, HYPER.advantageBaseline);
  const credit = choice(CREDITS, HYPER.advantageCredit);
  return {
    credit,
    baseline,
    /** Whether G·W/W baselines are taken, which those credits with a critic have no use for. */
    isOptimalToken: baseline.startsWith('optimal') && (credit === 'outcome' || credit === 'reward-to-go'),
    scale: choice(SCALES, HYPER.advantageScale),
    deviation: choice(DEVIATIONS, HYPER.advantageDeviation),
    epsilon: number(HYPER.advantageEpsilon),
    singleton: choice(SINGLETONS, HYPER.singletonGroup),
    source: choice(REWARD_SOURCES, HYPER.rewardSource),
    partWeights: Array.from({ length: REWARD_PARTS }, (_, k) => number(HYPER.rewardWeight + k)),
    whitening: choice(WHITENINGS, HYPER.whitening),
    whiteningDeviation: choice(DEVIATIONS, HYPER.whiteningDeviation),
    whiteningEpsilon: number(HYPER.whiteningEpsilon),
    discount: number(HYPER.discount),
    lambda: number(HYPER.gaeLambda),
    lambdaLength: number(HYPER.gaeLambdaLength),
    returnLambda: choice(RETURN_LAMBDAS, HYPER.returnLambda),
    clock: choice(CLOCKS, HYPER.creditClock),
    turnDiscount: number(HYPER.turnDiscount),
    stepWeight: number(HYPER.stepWeight),
    klCoefficient: number(HYPER.rewardKl),
    kl: {
      estimator: choice(REWARD_KL_ESTIMATORS, HYPER.rewardKlEstimator),
      clamp: 'log-ratio-and-value',
      straightThrough: false,
    } as const satisfies KlOptions,
    filter: choice(GROUP_FILTERS, HYPER.groupFilter),
    filterShare: number(HYPER.groupFilterShare),
    lengthPenalty: [
      number(HYPER.lengthPenaltyAction),
      number(HYPER.lengthPenaltyInput),
      number(HYPER.lengthPenaltyTurns),
    ] as const,
    predictionReward: number(HYPER.predictionReward),
    offMask: choice(OFF_MASKS, HYPER.offMask),
    policyGradient: [0, 1, 2, 3].map((role) => number(HYPER.policyGradient + role)),
  };
}
