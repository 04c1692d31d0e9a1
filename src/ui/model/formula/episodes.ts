/** Episodes an arm learns from, where they are not simply those it plays: replayed ones as a term, chosen tasks in words. */

import type { Environment } from '../../../environments/environment';
import { standingFor } from '../../../experiment/arm/ownLosses';
import { isRelevant } from '../../../experiment/arm/relevance';
import type { Arm } from '../../../experiment/experiment';
import { index, minus, type Notation, negative, over, plus, row, symbol, words } from '../../../foundation/notation';
import { precisePercent } from '../../../foundation/percent';
import { DRAWN } from '../../../foundation/roles';
import { formatSetting, plural } from '../../kit/format';
import { nameOf } from './own';
import { factor, mean, type Term, weighted } from './shared';
import { surrogateFormula } from './surrogate';
import { predicted } from './worldModel';

/** Loss of the arm's replayed successes (rl/learn/replayLoss.ts); null where none are replayed, or no weight is on what it wrote. */
export function replayTerm(arm: Arm, isFirst: boolean): Term | null {
  const inner = replayedLoss(arm);
  if (inner === null || arm.replayWeight === 0) return null;
  const { isMaximised, ofToken } = inner;
  const sign = isMaximised ? [isFirst ? negative : minus] : isFirst ? [] : [plus];
  const formula = row(...sign, ...factor(arm.replayWeight), over(mean, 'replayed tokens'), ...ofToken);
  return { id: 'replay', caption: 'replayed successes', learning: null, formula };
}

/** Notation at one replayed token. `isMaximised`: the loss is the formula with a minus. */
function replayedLoss(arm: Arm): { isMaximised: boolean; ofToken: readonly (Notation | number)[] } | null {
  if (arm.replay === 'none') return null;
  if (arm.replay === 'cross-entropy') {
    const own = standingFor(arm, 'predict');
    return { isMaximised: false, ofToken: [own === undefined ? predicted(arm) : nameOf(own)] };
  }
  const { prompt, observation, warning, ...drawn } = arm.pg;
  const { only, roles } = weighted({ prompt: 0, observation: 0, warning: 0, ...drawn });
  if (roles.length === 0) return null;
  const weight = only === undefined ? [symbol('w', 'w')] : factor(only);
  // The mean is over all that was written, also where one of the two has no weight.
  const unweighted = DRAWN.some((role) => arm.pg[role] === 0);
  const indicator = unweighted ? [index('1', words(roles.join()))] : [];
  return { isMaximised: true, ofToken: [...weight, ...indicator, surrogateFormula(arm)] };
}

/** Meaning of the replay term. */
export function replayRemark(arm: Arm): string {
  const which = arm.replayLeaves === 'oldest' ? 'oldest' : 'longest';
  const remarks = [
    `Replayed tokens: what the policy wrote in solved episodes of earlier updates, which take up to ${precisePercent(arm.replayShare)} of the batch`,
    'the term counts in full once they do, and less in proportion before',
    `${plural(arm.replaySize, 'episode')} remembered at most, ${formatSetting(arm.replayPerTask)} of a task, the ${which} forgotten first`,
    arm.replay === 'policy-gradient'
      ? 'their A is the advantage the episode had in its group when it was played'
      : null,
  ];
  return remarks.filter((remark) => remark !== null).join('; ');
}

/** Line on how an arm chooses its tasks; null where every drawn task is played. */
export function tasksRemark(arm: Arm, environment: Environment | null): string | null {
  const isStaged = arm.difficultyStart < 1 && isRelevant(arm, 'difficultyUpdates', environment);
  const remarks = [
    arm.taskChoice === 'near-half'
      ? `of ${plural(arm.candidates, 'candidate')} for each task played, those solved nearest to half of the time`
      : null,
    arm.taskChoice === 'failed-again' && arm.failedShare > 0
      ? `up to ${precisePercent(arm.failedShare)} of an update’s come back from those in which every episode failed when last played`
      : null,
    isStaged
      ? `at first none harder than ${precisePercent(arm.difficultyStart)} of the hardest, rising to all by update ${arm.difficultyUpdates}`
      : null,
    arm.resampling > 0
      ? `a group of equal rewards is replaced by another task’s, up to ${plural(arm.resampling, 'time')}`
      : null,
  ].filter((remark) => remark !== null);
  return remarks.length === 0 ? null : `Tasks: ${remarks.join('; ')}`;
}
