/** Instances of formulas that the arms of a population need: one for all arms of a text, two for an arm that has it twice. */

import type { OwnLoss } from '../../experiment/arm/ownLosses';
import { formulaLosses } from '../../experiment/arm/roleRegularisers';
import type { Arm } from '../../experiment/experiment';

/** Whose denominators an instance has: those of the policy loss, or of the prediction loss. */
export type LossKind = 'policy' | 'predict';

export interface WantedLoss {
  readonly key: string;
  readonly text: string;
  readonly kind: LossKind;
  /** Number of the loss among those of an arm with this text and kind. */
  readonly nth: number;
}

const kindOf = ({ place }: OwnLoss): LossKind => (place === 'predict' ? 'predict' : 'policy');

/** The loss of an arm that an instance is for. */
export function finder({ text, kind, nth }: WantedLoss): (arm: Arm) => OwnLoss | undefined {
  return (arm) => formulaLosses(arm).filter((loss) => loss.text === text && kindOf(loss) === kind)[nth];
}

/** Instances for these arms, in the order in which the arms name them. */
export function wantedLosses(arms: readonly Arm[]): readonly WantedLoss[] {
  const losses = new Map<string, WantedLoss>();
  for (const arm of arms) {
    const counts = new Map<string, number>();
    for (const loss of formulaLosses(arm)) {
      const { text } = loss;
      const kind = kindOf(loss);
      const formula = `${kind} ${text}`;
      const nth = counts.get(formula) ?? 0;
      counts.set(formula, nth + 1);
      const key = `${nth} ${formula}`;
      losses.set(key, { key, text, kind, nth });
    }
  }
  return [...losses.values()];
}
