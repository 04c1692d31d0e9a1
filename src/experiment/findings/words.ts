/** Sentences of a finding, made from its claim and its numbers: for the page, findings/README.md and the terminal. */
import type { Difference } from '../fairGround';
import { meanOf } from '../statistics';
import { type Claim, MEASURES } from './claim';
import { type Compared, type Condition, type Finding, isRefuted, LEVEL, type Reproduced } from './finding';

export const number = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`;
const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** `+0.12 (+0.05 to +0.19)`. */
export const interval = ({ mean, low, high }: Difference): string =>
  `${signed(mean)} (${signed(low)} to ${signed(high)})`;

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

export const pInWords = (p: number): string => (p < 0.001 ? 'below 0.001' : p.toPrecision(2));

/** A verdict as a clause. A gap may be there and yet be smaller than what counts: then it is undecided, and told so. */
function sideInWords({ side, corrected, unpaired }: Compared, first: string, second: string, least: string): string {
  const unequal = corrected < LEVEL ? `, though not equal (p ${pInWords(corrected)})` : '';
  if (side === 'alike') return `${second} and ${first} are alike, within ±${least}${unequal}`;
  if (side !== 'undecided') return `${second} is ${side} ${first}`;
  if (corrected >= LEVEL) return `${second} against ${first} is inconclusive`;
  return `${second} is ${unpaired.mean > 0 ? 'above' : 'below'} ${first}, by less than the ${least} that count`;
}

/** Standing of a comparison beside what was said beforehand. */
type Standing = 'as expected' | 'otherwise' | 'undecided';
const TOLD: Readonly<Record<Standing, string>> = {
  'as expected': 'as expected',
  otherwise: 'otherwise than expected',
  undecided: 'undecided',
};
export const standingOf = ({ side, expected }: Pick<Compared, 'side' | 'expected'>): Standing =>
  side === expected ? 'as expected' : side === 'undecided' ? side : 'otherwise';

function standingInWords(compared: Compared, { least }: Claim): string {
  const { expected, unpaired } = compared;
  const standing = standingOf(compared);
  if (standing === 'as expected') return 'as was expected';
  if (standing === 'otherwise') return 'not what was expected';
  const isExcluded = expected === 'above' ? unpaired.high < least : expected === 'below' && unpaired.low > -least;
  return isExcluded ? 'the interval leaves no room for what was expected' : 'what was expected is not shown';
}

export const meanIn = ({ values }: Pick<Condition, 'values'>): string => number(meanOf(values) ?? Number.NaN);

/** One comparison in a sentence; its direction follows from the numbers. */
export function comparedInWords(compared: Compared, { conditions }: Finding, claim: Claim): string {
  const [first, second] = [conditions[compared.first], conditions[compared.second]];
  if (first === undefined || second === undefined) throw new RangeError(`There is no condition of ${compared.id}.`);
  const side = sideInWords(compared, `“${first.name}”`, `“${second.name}”`, number(claim.least));
  return `${side}: ${meanIn(second)} against ${meanIn(first)}; ${standingInWords(compared, claim)}.`;
}

/** Sentence on what the seeds of a comparison can see. */
export function powerInWords({ first, seen }: Compared, { conditions }: Finding, { least }: Claim): string {
  const seeds = conditions[first]?.values.length ?? 0;
  const further = seen < least ? `; to count it has to be ${number(least)}` : '';
  return `With ${seeds} seeds of this spread, a t test notices a gap of ${seen < 0.005 ? 'less than 0.01' : number(seen)} in four experiments of five, uncorrected${further}.`;
}

/** Answer in one sentence: how many comparisons came out as was said. */
export function answerInWords(finding: Finding, claim: Claim): string {
  const { comparisons, runs } = finding;
  if (runs.done === 0) return 'Not run yet.';
  if (comparisons === null) return `${runs.done} of ${runs.planned} runs are in; nothing is judged before all are.`;
  const count = (standing: Standing): number => comparisons.filter((one) => standingOf(one) === standing).length;
  const told = (Object.keys(TOLD) as Standing[]).filter((one) => count(one) > 0);
  const refuted = isRefuted(claim, comparisons) ? ' The claim is refuted by its rule.' : '';
  const counts = told.map((one) => `${comparisons.length === 1 ? '' : `${count(one)} `}${TOLD[one]}`).join(', ');
  return `${comparisons.length === 1 ? capital(counts) : `Of ${comparisons.length} comparisons, ${counts}`}.${refuted}`;
}

/** Rule by which every comparison of a claim is judged. */
export const ruleInWords = ({ measure, least, comparisons, seeds }: Claim): string =>
  `Measured: ${MEASURES[measure].words}; ${seeds} seeds a condition. Above or below: p of a permutation test is under 0.05` +
  `${comparisons.length > 1 ? `, corrected over ${comparisons.length} comparisons (Holm),` : ''} and the difference is at least ${number(least)}. ` +
  `Alike: Welch’s 95% interval lies within ±${number(least)}. Anything else is undecided.`;

export function rerunInWords({ seeds, difference, low, high, isInside }: Reproduced): string {
  return `${isInside ? 'Reproduced' : 'Not reproduced'}: ${signed(difference)} over ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}, where nine of ten reruns were to lie between ${signed(low)} and ${signed(high)}.`;
}
