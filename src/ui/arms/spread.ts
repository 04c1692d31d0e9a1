/** A share's 95% interval after its mean, in points: no share is below 0% or above 100%. */
import type { Estimate } from '../../experiment/statistics';

/** “ ± 4”, or “ −6 +2” where an end of the share's range cuts it; nothing for one seed. */
export function spreadOfShare(estimate: Estimate | null): string {
  if (estimate?.mean == null || estimate.interval === null) return '';
  const { mean, interval } = estimate;
  const [low, high] = interval.map((end) => Math.min(1, Math.max(0, end))) as [number, number];
  const points = (share: number): string => (100 * share).toFixed(0);
  const [below, above] = [points(mean - low), points(high - mean)];
  return below === above ? ` ± ${below}` : ` −${below} +${above}`;
}
