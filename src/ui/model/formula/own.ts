/** Users' losses in an arm's loss: by their names, with the lines of their texts and the arm's numbers under it. */

import { formulaOf, type OwnLoss, parameterValues } from '../../../experiment/arm/ownLosses';
import type { Arm } from '../../../experiment/experiment';
import { notationOf } from '../../../formula/notation';
import { type Notation, over, plus, row, words } from '../../../foundation/notation';
import { factor, mean, type Term, weighted } from './shared';

export const nameOf = ({ name }: OwnLoss): Notation => words(name);

/** Terms of the added ones: the mean over their tokens, times the weight. */
export function addedTerms(arm: Arm, isFirst: boolean): Term[] {
  return arm.losses.flatMap((loss, place): Term[] => {
    const { only, named, roles } = weighted(loss.on);
    if (loss.place !== 'added' || roles.length === 0) return [];
    const sign = isFirst && place === 0 ? [] : [plus];
    const weight = only === undefined ? [words('weight')] : factor(only);
    const formula = row(...sign, ...weight, over(mean, named), nameOf(loss));
    return [{ id: `own-${loss.name}`, caption: named, learning: 'own', formula }];
  });
}

/** Lines of a user's text as formulas, with the arm's numbers in the place of its parameters. */
export function linesOf(loss: OwnLoss): readonly Notation[] {
  const formula = formulaOf(loss.text);
  const values = parameterValues(loss);
  const named = formula.parameters.map(({ name }, i) => [name, values[i] ?? 0] as const);
  return notationOf(formula.program, Object.fromEntries(named));
}
