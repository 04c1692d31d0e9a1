/** What a finished run shows, in one sentence: only what its seeds can carry. */

import { isFixed } from '../../../experiment/arm/policyFiles';
import type { SharedResult } from '../../../experiment/conclude/result';
import {
  areTooAlike,
  cutTo,
  FINAL_UPDATES,
  pairedDifference,
  summarise,
} from '../../../experiment/conclude/statistics';
import type { Arm } from '../../../experiment/experiment';
import type { MetricHistory } from '../../../store/history';
import { outcomeOf } from '../../../store/look/outcomes';
import { formatCount, formatDecimals, formatPercent } from '../../kit/format';

type Judged = Pick<Arm, 'name' | 'fixedPolicy'>;

interface Ended {
  readonly name: string;
  /** Success over the last updates. */
  readonly seeds: readonly number[];
  readonly mean: number;
}

/**
 * Arms that learned are ranked among themselves; fixed policies learned nothing and stand beside them, and a copy that has not
 * parted from its arm yet is no arm of its own. A run that stopped before its `updates` says where it was.
 */
export function verdict(history: MetricHistory, arms: readonly Judged[], updates: number): string {
  const when = history.count < updates ? `After ${formatCount(history.count)} of ${formatCount(updates)} updates ` : '';
  const ended = arms.map((arm, index) => ({
    ...arm,
    seeds: history.lastOfSeeds(index, 'successRate', FINAL_UPDATES),
    mean: outcomeOf(history, index).success.mean ?? 0,
  }));
  const words = ended.flatMap((arm, index) => {
    if (isFixed(arm)) return [`${arm.name}, a fixed policy, was at ${formatPercent(arm.mean)} success.`];
    const original = originalOf(history, index);
    return original === null ? [] : [`${arm.name} is still the same as ${arms[original]?.name}, to the bit.`];
  });
  const all = when === '' ? 'all updates' : 'these updates';
  const over = history.count < FINAL_UPDATES ? all : `the last ${FINAL_UPDATES} updates`;
  return [
    ranking(
      ended.filter((arm, index) => !isFixed(arm) && originalOf(history, index) === null),
      { when, did: when === '' ? 'ended' : 'was', of: `success over ${over}` },
    ),
    ...words,
  ]
    .filter((said) => said !== '')
    .join(' ');
}

/** Arm before this one with the same measurements to the bit, which it is a copy of; null if it is an arm of its own. */
function originalOf(history: MetricHistory, arm: number): number | null {
  for (let before = 0; before < arm; before++) if (history.areSame(before, arm)) return before;
  return null;
}

/** The same of a result that was sent: it holds one number a seed, the mean success of the whole run. */
export function sentVerdict({ arms }: Pick<SharedResult, 'arms'>, sent: readonly Judged[]): string {
  const trained = arms
    .filter((_, index) => sent[index] === undefined || !isFixed(sent[index]))
    .map(({ name, area }) => ({
      name,
      seeds: area.map((value) => value ?? Number.NaN),
      mean: summarise(area).mean ?? 0,
    }));
  return ranking(trained, { when: 'Over the whole run ', did: 'was', of: 'mean success' });
}

interface Told {
  /** Before the sentence, with the space after it; empty for the end. */
  readonly when: string;
  readonly did: 'ended' | 'was';
  /** Number a seed that arms are ranked by. */
  readonly of: string;
}

/** The best arm of the last updates against the next, paired by seed; of three and more, that they are the best two. */
function ranking(arms: readonly Ended[], { when, did, of }: Told): string {
  const [best, next] = arms.toSorted((a, b) => b.mean - a.mean);
  if (best === undefined) return '';
  if (next === undefined) return `${when}${best.name} ${did} at ${formatPercent(best.mean)} ${of}.`;
  const difference = pairedDifference(next.seeds, best.seeds);
  const { mean, interval, seeds } = difference;
  if (mean === null || interval === null) {
    return `${when}${best.name} ${did} highest, but there are not enough seeds to tell: one seed has no interval.`;
  }
  const ends = interval.map((value) => formatDecimals(100 * value, 0));
  // A lead is apart from 0 as it is written, too.
  const isFine = ends[0] === ends[1] || (interval[0] > 0 && ends[0] === '0');
  const points = (value: number) => formatDecimals(100 * value, isFine ? 1 : 0);
  const size = `${points(mean)} ${points(mean) === '1' ? 'point' : 'points'} of ${of}`;
  if (areTooAlike(difference)) {
    return `${when}${best.name} and ${next.name} differ by ${size} in each of ${seeds} seeds: too few to tell them apart.`;
  }
  const [low, high] = cutTo(interval, [-1, 1]).map(points);
  const range = `${size} (95% interval ${low} to ${high}, ${seeds} paired seeds)`;
  const picked = arms.length === 2 ? '' : ` ${pickedInWords(arms.length)}`;
  return 100 * interval[0] >= LEAST_LEAD
    ? `${when}${best.name} ${did} ahead of ${next.name} by ${range}.${picked}`
    : `${when}${best.name} and ${next.name} differ by ${range}: not enough to tell them apart.${picked}`;
}

/** Smallest lead that is told, in points: half of the last decimal written. */
const LEAST_LEAD = 0.05;

const pickedInWords = (arms: number): string =>
  `Best two of ${arms}, chosen afterwards: the real uncertainty is larger.`;
