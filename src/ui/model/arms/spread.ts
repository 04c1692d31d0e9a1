/** A share's 95% interval after its mean, in points: no share is below 0% or above 100%. */
import { cutTo, type Estimate, tellingInterval } from '../../../experiment/conclude/statistics';

/**
 * “ ± 4”, or “ (90 to 100)” where an end of the share's range cuts it; “, 2 seeds” where so few have no interval that says
 * something; nothing for one seed.
 */
export function spreadOfShare(estimate: Estimate | null): string {
  if (estimate?.mean == null || estimate.interval === null) return '';
  const { mean, seeds } = estimate;
  const interval = tellingInterval(estimate);
  if (interval === null) return `, ${seeds} seeds`;
  const [low, high] = cutTo(interval, [0, 1]);
  const points = (share: number): string => (100 * share).toFixed(0);
  const [below, above] = [points(mean - low), points(high - mean)];
  return below === above ? ` ± ${below}` : ` (${points(low)} to ${points(high)})`;
}
