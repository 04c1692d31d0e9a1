/** Finding of a sweep: the value that does best, and which of the others can be told from it. */
import { pairedDifference, summarise, tellingInterval } from '../conclude/statistics';

export type ValueStanding =
  /** Worse than the best, by the 95% interval of the difference seed by seed. */
  | 'worse'
  | 'undecided'
  /** Fewer than two pairs: no interval. */
  | 'too-few-seeds'
  | 'best';

export interface SweepFinding {
  /** Index of the value whose mean is best. */
  readonly best: number;
  readonly mean: number;
  /** Standings, one for each value. */
  readonly standings: readonly ValueStanding[];
  /** Worse at both ends than inside: an inverted U. */
  readonly isBent: boolean;
  /** The best is the first or the last value, so that the optimum may lie beyond. */
  readonly isAtEnd: boolean;
}

/** `seeds`: for each value, one number a seed (NaN where nothing was measured). null if no value has a number. */
export function judgeSweep(seeds: readonly (readonly number[])[]): SweepFinding | null {
  const means = seeds.map((values) => summarise(values).mean);
  const best = means.reduce<number | null>((leader, mean, index) => {
    if (mean === null) return leader;
    const leading = leader === null ? null : (means[leader] as number);
    return leading === null || mean > leading ? index : leader;
  }, null);
  if (best === null) return null;
  const standings = seeds.map((values, index): ValueStanding => {
    if (index === best) return 'best';
    const difference = pairedDifference(values, seeds[best] as readonly number[]);
    if (difference.interval === null) return 'too-few-seeds';
    const interval = tellingInterval(difference);
    return interval !== null && interval[0] > 0 ? 'worse' : 'undecided';
  });
  const isAtEnd = best === 0 || best === seeds.length - 1;
  return {
    best,
    mean: means[best] as number,
    standings,
    isAtEnd,
    isBent: standings[0] === 'worse' && standings.at(-1) === 'worse',
  };
}

/** Finding of a sweep, for words: with the swept values and the arm's name. */
interface Found {
  readonly finding: SweepFinding;
  /** Values in the order of the finding. */
  readonly values: readonly (number | string)[];
  readonly name: string;
}

/** Finding in sentences that say only what the seeds support. */
export function sweepInWords({ finding, values, name }: Found): string {
  const { best, standings, isAtEnd, isBent } = finding;
  const nameOf = (index: number): string => String(values[index]).replace('-', '−');
  const which = (standing: string) => standings.flatMap((one, index) => (one === standing ? [nameOf(index)] : []));
  const lead = `${name} = ${nameOf(best)} has the highest mean (${(100 * finding.mean).toFixed(0)}%)`;
  if (standings.includes('too-few-seeds')) return `${lead}: not enough seeds to tell it from the others.`;
  const undecided = which('undecided');
  const worse = which('worse');
  if (worse.length === 0) return `${lead}: not enough seeds to tell it from any other value.`;
  const sentences = [
    undecided.length === 0 ? `${lead}, and every other value is worse.` : `${lead}.`,
    undecided.length === 0 ? '' : `Not enough seeds to tell it from ${listOf(undecided)}.`,
    undecided.length > 0 ? `${listOf(worse)} ${worse.length === 1 ? 'is' : 'are'} worse.` : '',
    isBent ? 'Too little and too much are both worse: an inverted U.' : '',
    isAtEnd ? 'It stands at the end of the range: values beyond may do better.' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

const listOf = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names);
