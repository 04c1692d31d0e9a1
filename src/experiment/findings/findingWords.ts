/** Numbers and labels of findings, for the page, its document and the terminal. Sentences are in findings/answers.json. */
import { meanOf } from '../conclude/statistics';
import {
  type ClaimCondition,
  type ComparedConditions,
  type Finding,
  type MeanDifference,
  type Reproduced,
  STANDINGS,
  standingOf,
} from './finding';

export const number = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** Difference in words: `+0.12 (+0.05 to +0.19)`. */
export const interval = ({ mean, low, high }: MeanDifference): string =>
  `${signed(mean)} (${signed(low)} to ${signed(high)})`;

export const pInWords = (p: number): string => (p < 0.001 ? 'below 0.001' : p.toPrecision(2));

export const meanIn = ({ values }: Pick<ClaimCondition, 'values'>): string => number(meanOf(values) ?? Number.NaN);

/** `supported`, or `not supported, at the floor`. */
export const standingInWords = (compared: ComparedConditions): string =>
  `${standingOf(compared)}${compared.side === 'floor' ? ', at the floor' : ''}`;

/** Verdict on a claim: `supported`, or `supported in 3 of 4, not supported in 1`; how far the runs are, before all are in. */
export function verdictInWords({ comparisons, runs }: Finding, isPicture: boolean): string {
  if (runs.done === 0) return 'not run yet';
  if (comparisons === null) return `${runs.done} of ${runs.planned} runs are in`;
  if (isPicture) return 'a picture, not judged';
  const counts = STANDINGS.map((standing) => ({
    standing,
    count: comparisons.filter((one) => standingOf(one) === standing).length,
  })).filter(({ count }) => count > 0);
  const [first] = counts;
  if (counts.length === 1 && first !== undefined) return first.standing;
  return counts
    .map(({ standing, count }, i) => `${standing} in ${count}${i === 0 ? ` of ${comparisons.length}` : ''}`)
    .join(', ');
}

export function rerunInWords({ seeds, difference, low, high, isInside }: Reproduced): string {
  return `${isInside ? 'Reproduced' : 'Not reproduced'}: ${signed(difference)} over ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, where nine of ten reruns were to lie between ${signed(low)} and ${signed(high)}.`;
}
