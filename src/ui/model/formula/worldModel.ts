/** The world-model term of a loss, its denominators spelt out, and what is left out of it. */

import { predictionText } from '../../../experiment/arm/formulaTexts';
import { standingFor } from '../../../experiment/arm/ownLosses';
import { learnsByPrediction } from '../../../experiment/arm/relevance';
import type { Arm } from '../../../experiment/experiment';
import { fraction, minus, type Notation, operator, over, plus, row, symbol } from '../../../foundation/notation';
import { precisePercent } from '../../../foundation/percent';
import {
  worldModelBatchDenominator,
  worldModelSequenceDenominator,
} from '../../../hyperparameters/worldModelDenominators';
import { formatSetting } from '../../kit/format';
import { nameOf } from './own';
import { factor, formulaOf, mean, sum, type Term, weighted } from './shared';
import { minimised } from './text';

/** The loss of one token. */
export const predicted = (arm: Arm): Notation => minimised(predictionText(arm));

export function worldModelTerm(arm: Arm, first: boolean): Term | null {
  if (!learnsByPrediction(arm)) return null;
  const { only, named } = weighted(arm.ce);
  const lambda = only ?? symbol('λ', 'lambda');
  const ofBatch = formulaOf(worldModelBatchDenominator, arm);
  const ofSequence = formulaOf(worldModelSequenceDenominator, arm);
  const success = row(mean, 'R');
  const share = arm.worldModelRewardScale === 1 ? success : fraction(success, arm.worldModelRewardScale);
  const balance =
    arm.worldModelRewardScale > 0 ? [row(operator('(', 'times'), 1, minus, share, operator(')', ','))] : [];
  const isOwnMean = arm.worldModelBatchDenominator === 'selected-tokens' && arm.worldModelCountEpsilon === 0;
  const reduced =
    ofSequence === null && isOwnMean
      ? [...factor(lambda), over(mean, named)]
      : [
          ofBatch === null ? row(lambda) : fraction(lambda, ofBatch),
          ...(ofSequence === null ? [] : [over(sum, 'trajectories'), fraction(1, ofSequence)]),
          over(sum, named),
        ];
  const own = standingFor(arm, 'predict');
  const ofToken = own === undefined ? predicted(arm) : nameOf(own);
  const formula = row(...(first ? [] : [plus]), ...reduced, ...balance, ofToken);
  return {
    id: 'world-model',
    caption: arm.placebo ? `shuffled ${named}` : named,
    learning: own === undefined ? 'predict' : 'own',
    formula,
  };
}

export function worldModelRemarks(arm: Arm): string[] {
  const scope = arm.worldModelTurnScope === 'group' ? 'its group' : 'the batch';
  const remarks = [
    arm.worldModelTrajectories === 'all'
      ? null
      : `only trajectories that ${arm.worldModelTrajectories === 'failed' ? 'failed' : 'reached their goal'}`,
    arm.worldModelMinValid > 0
      ? `only trajectories with at least ${precisePercent(arm.worldModelMinValid)} well-formed actions`
      : null,
    arm.worldModelTurnShare < 1
      ? `only after the ${precisePercent(arm.worldModelTurnShare)} of turns in ${scope} whose action was the most uncertain`
      : null,
    arm.worldModelSchedule === 'step'
      ? `times ${formatSetting(arm.worldModelFinalScale)} from update ${arm.worldModelScheduleStart} on`
      : null,
    arm.worldModelSchedule === 'linear'
      ? `changing to ${formatSetting(arm.worldModelFinalScale)} times as much between updates ${arm.worldModelScheduleStart} and ${arm.worldModelScheduleEnd}`
      : null,
    arm.worldModelEvery > 0
      ? `alone in the last of every ${arm.worldModelEvery} updates${arm.worldModelBetween === 'policy' ? ', and in no other' : ''}`
      : null,
    arm.placebo ? 'the observations to predict are shuffled' : null,
  ];
  return remarks.filter((remark) => remark !== null);
}
