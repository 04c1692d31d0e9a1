/** The horizontal axis in words and ticks. */

import type { CurvePoint } from '../../../measured/curves';
import type { ProgressAxis } from '../../../measured/progress';
import { formatCount } from '../../kit/format';
import { ticksBetween } from '../../kit/plot/axes';

export interface HorizontalAxis {
  readonly over: ProgressAxis;
  readonly end: number;
  readonly ticks: readonly number[];
}

/** Horizontal axis of a chart: up to the planned updates, or in another unit up to the furthest point of the curves. */
export function horizontalAxis(
  over: ProgressAxis,
  updates: number,
  points: readonly Pick<CurvePoint, 'at'>[],
): HorizontalAxis {
  const end = over === 'updates' ? updates : furthest(points) || 1;
  // There is no half of an update, or of a token.
  const ticks = ticksBetween(0, end, 5).filter((tick) => over === 'seconds' || Number.isInteger(tick));
  return { over, end, ticks };
}

/** Points within the axis: another run may have measured after this run's planned end. */
export function inSight(points: readonly CurvePoint[], { over, end }: HorizontalAxis): readonly CurvePoint[] {
  return over === 'updates' ? points.filter(({ update }) => update <= end) : points;
}

function furthest(points: readonly Pick<CurvePoint, 'at'>[]): number {
  let most = 0;
  for (const { at } of points) for (const place of at) most = Math.max(most, place ?? 0);
  return most;
}

/** Words for a tick: “300”, “1.5M”, “40k”. */
export function writeTick(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(4))}M`;
  if (value >= 10_000) return `${Number((value / 1e3).toPrecision(4))}k`;
  return String(Number(value.toPrecision(6)));
}

/** Place on the axis in words: “update 12”, “51,200 tokens”, “12.3 seconds”. */
export function placeInWords(over: ProgressAxis, at: number): string {
  if (over === 'updates') return `update ${at}`;
  return over === 'tokens' ? `${formatCount(at)} tokens` : `${at.toFixed(1)} seconds`;
}

export const NOTES: Readonly<Record<ProgressAxis, string>> = {
  updates: '',
  tokens: 'Tokens it learned from, mean over seeds.',
  seconds: 'Seconds differ from machine to machine.',
};
