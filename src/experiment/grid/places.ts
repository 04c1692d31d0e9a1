/** Places of values on a sweep's axis. */

/** Distance between 0 and the smallest other value on a logarithmic axis, as a share of its length. */
const GAP = 0.14;
/** Ratio of the largest to the smallest value from which the axis is logarithmic. */
const LOGARITHMIC_FROM = 8;

export interface ValuePlaces {
  /** Places from 0 to 1, in the order of the values. */
  readonly places: readonly number[];
  /** Place where a logarithmic axis is broken to show 0; null for an unbroken axis. */
  readonly gap: number | null;
}

/** Places of ascending values: logarithmic where their ratio is large, 0 apart at the left; linear otherwise. */
export function placesOf(values: readonly number[]): ValuePlaces {
  const positive = values.filter((value) => value > 0);
  const [low, high] = [positive[0] ?? 1, positive.at(-1) ?? 1];
  const isLogarithmic = values.every((value) => value >= 0) && high / low >= LOGARITHMIC_FROM;
  if (!isLogarithmic) {
    const [first, last] = [values[0] ?? 0, values.at(-1) ?? 1];
    return { places: values.map((value) => (value - first) / (last - first || 1)), gap: null };
  }
  const start = positive.length < values.length ? GAP : 0;
  const places = values.map((value) =>
    value === 0 ? 0 : start + ((1 - start) * Math.log(value / low)) / Math.log(high / low),
  );
  return { places, gap: start > 0 ? start / 2 : null };
}
