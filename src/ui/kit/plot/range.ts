/** Ranges of a horizontal axis, and how a zoom changes them. */
import { niceStep } from './axes';

export type Range = readonly [low: number, high: number];

/** Parts into which the whole axis is cut, about: one is the shortest range, and the step of an arrow key. */
const PARTS = 100;

/** A round number: whole where the axis counts things, unless it is short. */
export const stepOf = ([low, high]: Range): number => Math.max(high - low > 2 ? 1 : 0, niceStep(high - low, PARTS));

/** Steps that a key goes along an axis, as on any slider. */
export const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
};

/** Part of the range on screen, given as shares of it; never shorter than a hundredth of it. */
export function rangeOfDrag([low, high]: Range, [from, to]: Range): Range {
  const isCounted = Number.isInteger(low) && Number.isInteger(high) && high - low > 2;
  const at = (share: number): number => low + share * (high - low);
  const [first, last] = isCounted ? [Math.floor(at(from)), Math.ceil(at(to))] : [at(from), at(to)];
  return [first, Math.max(last, first + (high - low) / PARTS)];
}

/** The part in sight with another end; null for the whole. The ends keep a step apart. */
export function rangeWith(whole: Range, [low, high]: Range, end: 0 | 1, value: number): Range | null {
  const step = stepOf(whole);
  const range: Range =
    end === 0
      ? [Math.max(whole[0], Math.min(value, high - step)), high]
      : [low, Math.min(whole[1], Math.max(value, low + step))];
  return range[0] <= whole[0] && range[1] >= whole[1] ? null : range;
}
