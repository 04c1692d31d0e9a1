/**
 * The loss of each member from the terms that tokenObjective writes, put together here once more from its definition: every
 * term has its own denominator, and one without tokens is absent.
 */
import { ROLE, ROLES } from '../../src/foundation/roles';
import { HYPER, HYPER_COLUMNS, TERM, TERM_COLUMNS } from '../../src/tensor/layout';

export function lossFromTerms(
  terms: ArrayLike<number>,
  counts: ArrayLike<number>,
  hyper: ArrayLike<number>,
  rowCounts: readonly number[],
  part: 'all' | 'world-model',
): readonly number[] {
  const capacity = terms.length / rowCounts.length / TERM_COLUMNS;
  return rowCounts.map((rows, p) => {
    const number = (column: number): number => hyper[p * HYPER_COLUMNS + column] as number;
    const sum = (term: number): number => {
      let total = 0;
      for (let r = 0; r < rows; r++) total += terms[(p * capacity + r) * TERM_COLUMNS + term] as number;
      return total;
    };
    const count = (column: number): number =>
      ROLES.reduce((a, _, role) => a + (number(column + role) !== 0 ? (counts[p * 4 + role] as number) : 0), 0);
    const mean = (total: number, n: number): number => (n === 0 ? 0 : total / n);
    const crossEntropy = mean(sum(TERM.crossEntropyLoss), count(HYPER.crossEntropy));
    if (part === 'world-model') return crossEntropy;
    const onActions = number(HYPER.klCoefficient) * sum(TERM.kl) - number(HYPER.entropyCoefficient) * sum(TERM.entropy);
    const policy = mean(sum(TERM.policyLoss), count(HYPER.policyGradient));
    return policy + crossEntropy + mean(onActions, counts[p * 4 + ROLE.action] as number);
  });
}
