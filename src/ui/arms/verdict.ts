/** What a finished run shows, in one sentence: only what its seeds can carry. */
import type { Arm } from '../../experiment/experiment';
import { isFixed } from '../../experiment/policyFiles';
import { areTooAlike, cutTo, FINAL_UPDATES, pairedDifference } from '../../experiment/statistics';
import type { MetricHistory } from '../../store/history';
import { outcomeOf } from '../../store/outcomes';
import { formatDecimals, formatPercent } from '../format';

type Judged = Pick<Arm, 'name' | 'fixedPolicy'>;

interface Ended {
  readonly name: string;
  /** Success over the last updates. */
  readonly seeds: readonly number[];
  readonly mean: number;
}

/**
 * Arms that learned are ranked among themselves; fixed policies learned nothing and stand beside them. A run that stopped
 * before its `updates` says where it was.
 */
export function verdict(history: MetricHistory, arms: readonly Judged[], updates: number): string {
  const when = history.count < updates ? `After ${history.count} of ${updates} updates ` : '';
  const ended = arms.map((arm, index) => ({
    ...arm,
    seeds: history.lastOfSeeds(index, 'successRate', FINAL_UPDATES),
    mean: outcomeOf(history, index).success.mean ?? 0,
  }));
  const beside = ended.filter(isFixed);
  const words = beside.map(({ name, mean }) => `${name}, a fixed policy, was at ${formatPercent(mean)} success.`);
  return [
    ranking(
      ended.filter((arm) => !isFixed(arm)),
      when,
    ),
    ...words,
  ]
    .filter((said) => said !== '')
    .join(' ');
}

/** The best arm of the last updates against the next, paired by seed; of three and more, that they were picked by their results. */
function ranking(arms: readonly Ended[], when: string): string {
  const did = when === '' ? 'ended' : 'was';
  const [best, next] = arms.toSorted((a, b) => b.mean - a.mean);
  if (best === undefined) return '';
  if (next === undefined) return `${when}${best.name} ${did} at ${formatPercent(best.mean)} success.`;
  const difference = pairedDifference(next.seeds, best.seeds);
  const { mean, interval, seeds } = difference;
  if (mean === null || interval === null) {
    return `${when}${best.name} ${did} highest, but there are not enough seeds to tell: one seed has no interval.`;
  }
  const points = (value: number) => formatDecimals(100 * value, 0);
  const size = `${points(mean)} ${points(mean) === '1' ? 'point' : 'points'} of success`;
  if (areTooAlike(difference)) {
    return `${when}${best.name} and ${next.name} differ by ${size} in each of ${seeds} seeds: too few to tell them apart.`;
  }
  const [low, high] = cutTo(interval, [-1, 1]).map(points);
  const range = `${size} (95% interval ${low} to ${high}, ${seeds} paired seeds)`;
  const picked = arms.length === 2 ? '' : ` ${pickedInWords(arms.length)}`;
  return interval[0] > 0
    ? `${when}${best.name} ${did} ahead of ${next.name} by ${range}.${picked}`
    : `${when}${best.name} and ${next.name} differ by ${range}: not enough to tell them apart.${picked}`;
}

const pickedInWords = (arms: number): string =>
  `The two were picked from ${arms} arms by their results; the interval does not allow for that.`;
