/** Conclusion of a comparison in a sentence: what it allows one to say, and what it does not. */
import { type Comparison, type Conclusion, conclude } from '../../../../../experiment/conclude/comparison';
import { cutTo, type Estimate, tellingInterval } from '../../../../../experiment/conclude/statistics';
import { plural } from '../../../../kit/format';
import type { Scale } from './measures';

const CONCLUSIONS: Readonly<Record<Conclusion, (baseline: string) => string>> = {
  baseline: () => 'what the others are compared with',
  'no-pairs': (baseline) => `has no seed in common with ${baseline}`,
  'too-few-seeds': () => 'not enough seeds to tell: one pair has no interval',
  unreached: () => 'some seeds never got there, so only the chance can be given',
  undecided: (baseline) => `not enough to tell apart from ${baseline}`,
  better: (baseline) => `better than ${baseline}`,
  worse: (baseline) => `worse than ${baseline}`,
};

export function conclusion(row: Comparison, baseline: string, { lowerIsBetter }: Scale): string {
  if (row.seeds === 0) return 'nothing to compare';
  // Where no seed of either arm got there, the probability of being better is 0.5.
  if (row.reached === 0 && row.improvement?.probability === 0.5)
    return `no seed got there, and none of ${baseline} did`;
  return CONCLUSIONS[conclude(row, lowerIsBetter)](baseline);
}

/** A number, and its interval with what else is to be known of it. */
export interface Figure {
  readonly value: string;
  /** Subject; empty where there is none. */
  readonly about: string;
}

const NONE: Figure = { value: '–', about: '' };

/** “54%” and “(48% to 61%)”; “3 of 4 seeds got there”. */
export function meanInWords({ mean, seeds, reached }: Comparison, { format, range }: Scale): Figure {
  if (seeds === 0) return { value: 'not measured', about: '' };
  if (mean.mean === null) return { value: `${reached} of ${plural(seeds, 'seed')} got there`, about: '' };
  return { value: format(mean.mean), about: estimateInWords(mean, range, 'seed', format) };
}

export function iqmInWords({ iqm }: Comparison, { format }: Scale): Figure {
  return iqm.value === null ? NONE : { value: format(iqm.value), about: intervalInWords(iqm.interval, format) };
}

/** Says of how many pairs, where not all seeds have one, and that there are none where the runs share no seeds. */
export function differenceInWords({ difference, paired, seeds }: Comparison, scale: Scale): Figure {
  const { formatDifference, unit, range } = scale;
  const width = range[1] - range[0];
  if (difference?.mean == null) return NONE;
  const size = `${formatDifference(difference.mean)}${unit === '' ? '' : ` ${unit}`}`;
  const of = paired ? (difference.seeds < seeds ? plural(difference.seeds, 'pair') : '') : 'unpaired';
  const interval = estimateInWords(difference, [-width, width], 'pair', formatDifference);
  const about = [interval, of].filter((words) => words !== '');
  return { value: size, about: about.join(', ') };
}

export function improvementInWords({ improvement, seeds }: Comparison): Figure {
  if (improvement === null) return NONE;
  const format = (chance: number) => chance.toFixed(2);
  if (improvement.interval === null) {
    return { value: format(improvement.probability), about: `${plural(seeds, 'seed')}: no interval` };
  }
  return { value: format(improvement.probability), about: intervalInWords(improvement.interval, format) };
}

/** Interval of an estimate within the range; of so few numbers that it says nothing, that there is none. */
function estimateInWords(
  estimate: Estimate,
  range: readonly [number, number],
  one: string,
  format: (value: number) => string,
): string {
  const interval = tellingInterval(estimate);
  if (interval === null && estimate.interval !== null) return `${plural(estimate.seeds, one)}: no interval`;
  return intervalInWords(interval && cutTo(interval, range), format);
}

function intervalInWords(interval: readonly [number, number] | null, format: (value: number) => string): string {
  return interval === null ? '' : `(${format(interval[0])} to ${format(interval[1])})`;
}
