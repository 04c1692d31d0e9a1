/** Ranges and ticks of the charts' axes, and which lines leave them. */
import type { CurvePoint } from '../../store/curves';
import type { CrossEntropyAxis } from '../../store/preferences';
import type { ChartDefinition } from './definition';

export interface ValueAxis {
  readonly domain: readonly [low: number, high: number];
  readonly ticks: readonly number[];
  readonly log: boolean;
}

/** A step of 1, 2 or 5 times a power of ten that cuts a range into at most `most` parts. */
export function niceStep(range: number, most: number): number {
  const raw = range / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= raw * (1 - 1e-9)) ?? 10);
}

export function ticksBetween(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const step = niceStep(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

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

function linear(low: number, high: number): ValueAxis {
  const top = high > low ? high : low + 1;
  const step = niceStep(top - low, 4);
  const domain = [Math.floor(low / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step] as const;
  return { domain, ticks: ticksBetween(domain[0], domain[1], 4), log: false };
}

function logarithmic(low: number, high: number): ValueAxis {
  const bottom = Math.floor(Math.log10(Math.max(low, 1e-6)));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(Math.max(high, 1e-6))));
  const ticks = Array.from({ length: top - bottom + 1 }, (_, index) => Number((10 ** (bottom + index)).toPrecision(3)));
  return { domain: [10 ** bottom, 10 ** top], ticks, log: true };
}

/** `reference` is the value of the dashed line, which is always on the chart. */
export function valueAxis(
  { axis }: ChartDefinition,
  points: readonly CurvePoint[],
  reference: number | null,
  choice: CrossEntropyAxis,
): ValueAxis {
  if (axis === 'share') return { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], log: false };
  const [low, high] = rangeOf(points) ?? [0, reference ?? 1];
  const top = Math.max(high, reference ?? high);
  if (axis === 'free') return linear(Math.min(0, low), Math.max(1e-9, top));
  if (axis === 'crossEntropy') {
    if (choice === 'log') return logarithmic(Math.min(low, reference ?? low), top);
    if (choice === 'clipped') return linear(0, Math.min(top * 1.05, 1.5 * (reference ?? top)));
  }
  return linear(0, top > 0 ? top * 1.05 : 1);
}

/** Arms whose last mean lies above the axis, with that mean. */
export function armsAbove(points: readonly CurvePoint[], { domain }: ValueAxis): { arm: number; value: number }[] {
  const last = points.at(-1);
  return (last?.mean ?? []).flatMap((value, arm) => (value !== null && value > domain[1] ? [{ arm, value }] : []));
}

/** Of ticks in pixels, those whose labels fit beside each other, `size` pixels each with the gap between them; the last is kept. */
export function fitting<T extends { readonly at: number }>(ticks: readonly T[], size: (tick: T) => number): T[] {
  const kept: T[] = [];
  for (const tick of ticks.toReversed()) {
    const next = kept.at(-1);
    if (next === undefined || Math.abs(next.at - tick.at) >= (size(next) + size(tick)) / 2) kept.push(tick);
  }
  return kept.reverse();
}
