/** A metric's vertical axis, and which lines leave it. */

import type { CurvePoint } from '../../../../measured/curves';
import type { CrossEntropyAxis } from '../../../../store/keep/preferences';
import { linear, logarithmic, SHARES, type ValueAxis } from '../../../kit/plot/axes';
import type { ChartDefinition } from '../kinds/definition';
import { type AxisByHand, axisByHand } from './axisByHand';

function rangeOf(points: readonly CurvePoint[]): [low: number, high: number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { mean } of points) {
    for (const value of mean) {
      if (value === null || !Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return low <= high ? [low, high] : null;
}

/** `reference` is the value of the dashed line, which is on the chart unless a range `byHand` leaves it out. */
export function valueAxis(
  definition: Pick<ChartDefinition, 'axis'>,
  points: readonly CurvePoint[],
  reference: number | null,
  choice: CrossEntropyAxis,
  byHand: AxisByHand | null = null,
): ValueAxis {
  const usual = usualAxis(definition, points, reference, choice);
  return byHand === null ? usual : axisByHand(usual, byHand, leastPositive(points));
}

/** Share of the means' range by which bands raise the top at most: of a wider one the end is cut. */
const BANDS = 0.5;

function topOfBands(points: readonly CurvePoint[], [low, high]: readonly [low: number, high: number]): number {
  const tops = points.flatMap(({ band }) => band.map((one) => one?.[1] ?? high));
  return Math.min(Math.max(high, ...tops.filter(Number.isFinite)), high + BANDS * (high - low));
}

function leastPositive(points: readonly CurvePoint[]): number | null {
  const positive = points.flatMap(({ mean }) => mean.filter((value) => value !== null && value > 0));
  return positive.reduce((least, value) => (least === null || (value ?? least) < least ? value : least), null);
}

function usualAxis(
  { axis }: Pick<ChartDefinition, 'axis'>,
  points: readonly CurvePoint[],
  reference: number | null,
  choice: CrossEntropyAxis,
): ValueAxis {
  if (axis === 'share') return SHARES;
  const [low, high] = rangeOf(points) ?? [0, reference ?? 1];
  const top = Math.max(high, reference ?? high);
  const whole = Math.max(top, topOfBands(points, [low, high]));
  if (axis === 'free') return linear(Math.min(0, low), Math.max(1e-9, whole));
  if (axis === 'crossEntropy') {
    if (choice === 'log') return logarithmic(Math.min(low, reference ?? low), top);
    if (choice === 'clipped') return linear(0, Math.min(top * 1.05, 1.5 * (reference ?? top)));
  }
  return linear(0, whole > 0 ? Math.max(top * 1.05, whole) : 1);
}

/** Arms whose last mean lies above the axis, with that mean. */
export function armsAbove(points: readonly CurvePoint[], { domain }: ValueAxis): { arm: number; value: number }[] {
  const last = points.at(-1);
  return (last?.mean ?? []).flatMap((value, arm) => (value !== null && value > domain[1] ? [{ arm, value }] : []));
}
