/** The world-model term of a loss, its denominators spelt out, and what is left out of it. */
import type { Arm } from '../../../experiment/experiment';
import { learnsByPrediction } from '../../../experiment/relevance';
import {
  call,
  type Formula,
  fraction,
  index,
  minus,
  negative,
  operator,
  over,
  plus,
  row,
  symbol,
  words,
} from '../../../foundation/formula';
import { formatSetting } from '../../format';
import { factor, logP, mean, p, sum, type Term, weighted } from './shared';

/** What stands under the fraction lines of the world-model loss. */
const SEQUENCE_DIVISOR: Readonly<Record<Arm['worldModelSequenceDenominator'], (arm: Arm) => Formula | null>> = {
  none: () => null,
  'selected-tokens': (arm) => counted(arm, 'predicted tokens'),
  'observation-tokens': (arm) => counted(arm, 'observations, warnings'),
  length: ({ worldModelLength }) => (worldModelLength > 0 ? row(worldModelLength) : symbol('T', 'T')),
  'group-selected-tokens': (arm) => counted(arm, 'predicted tokens of its group'),
};
const BATCH_DIVISOR: Readonly<Record<Arm['worldModelBatchDenominator'], (arm: Arm) => Formula | null>> = {
  'selected-tokens': (arm) => counted(arm, 'predicted tokens'),
  'action-tokens': (arm) => counted(arm, 'actions'),
  'all-tokens': (arm) => counted(arm, 'actions, observations, warnings'),
  sequences: () => words('trajectories'),
  'selected-sequences': () => words('trajectories that predict'),
  'action-sequences': () => words('trajectories that act'),
  groups: () => words('groups'),
  given: ({ worldModelDenominator }) => row(worldModelDenominator),
  none: () => null,
};

function counted({ worldModelCountEpsilon: epsilon }: Arm, what: string): Formula {
  return epsilon > 0 ? row(words(what), plus, epsilon) : words(what);
}

/** The loss of one token. */
export function predicted(arm: Arm): Formula {
  switch (arm.worldModelForm) {
    case 'cross-entropy':
      return row(operator('(', ','), negative, logP, operator(')', ','));
    case 'constant-advantage': {
      const bound = Number((1 + arm.worldModelClip).toPrecision(12));
      return row(
        operator('(', ','),
        negative,
        call('min', row(p, operator('/', 'divided by'), index('p', 0)), bound),
        operator(')', ','),
      );
    }
    case 'probability-threshold':
      return call('max', 0, row(arm.worldModelThreshold, minus, p));
    default:
      return arm.worldModelForm satisfies never;
  }
}

export function worldModelTerm(arm: Arm, first: boolean): Term | null {
  if (!learnsByPrediction(arm)) return null;
  const { only, named } = weighted(arm.ce);
  const lambda = only ?? symbol('λ', 'lambda');
  const ofBatch = BATCH_DIVISOR[arm.worldModelBatchDenominator](arm);
  const ofSequence = SEQUENCE_DIVISOR[arm.worldModelSequenceDenominator](arm);
  const success = row(mean, 'R');
  const share = arm.worldModelRewardScale === 1 ? success : fraction(success, arm.worldModelRewardScale);
  const balance =
    arm.worldModelRewardScale > 0 ? [row(operator('(', 'times'), 1, minus, share, operator(')', ','))] : [];
  const own = arm.worldModelBatchDenominator === 'selected-tokens' && arm.worldModelCountEpsilon === 0;
  const reduced =
    ofSequence === null && own
      ? [...factor(lambda), over(mean, named)]
      : [
          ofBatch === null ? row(lambda) : fraction(lambda, ofBatch),
          ...(ofSequence === null ? [] : [over(sum, 'trajectories'), fraction(1, ofSequence)]),
          over(sum, named),
        ];
  const formula = row(...(first ? [] : [plus]), ...reduced, ...balance, predicted(arm));
  return {
    id: 'world-model',
    caption: arm.placebo ? `shuffled ${named}` : named,
    learning: 'predict',
    formula,
  };
}

export function worldModelRemarks(arm: Arm): string[] {
  const percent = (share: number) => `${formatSetting(Math.round(1000 * share) / 10)}%`;
  const scope = arm.worldModelTurnScope === 'group' ? 'its group' : 'the batch';
  const remarks = [
    arm.worldModelTrajectories === 'all'
      ? null
      : `only trajectories that ${arm.worldModelTrajectories === 'failed' ? 'failed' : 'reached their goal'}`,
    arm.worldModelMinValid > 0
      ? `only trajectories with at least ${percent(arm.worldModelMinValid)} well-formed actions`
      : null,
    arm.worldModelTurnShare < 1
      ? `only after the ${percent(arm.worldModelTurnShare)} of turns in ${scope} whose action was the most uncertain`
      : null,
    arm.worldModelSchedule === 'step'
      ? `times ${formatSetting(arm.worldModelFinalScale)} from update ${arm.worldModelScheduleStart} on`
      : null,
    arm.worldModelSchedule === 'linear'
      ? `changing to ${formatSetting(arm.worldModelFinalScale)} times as much between updates ${arm.worldModelScheduleStart} and ${arm.worldModelScheduleEnd}`
      : null,
    arm.placebo ? 'the observations to predict are shuffled' : null,
  ];
  return remarks.filter((remark) => remark !== null);
}
