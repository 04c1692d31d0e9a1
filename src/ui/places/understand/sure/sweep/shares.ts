/** Success over seeds: its centre and 95% interval, cut to where a share can be. */
import { robustMean } from '../../../../../experiment/conclude/comparison';
import { cutTo, summarise, tellingInterval } from '../../../../../experiment/conclude/statistics';
import { formatPercent } from '../../../../kit/format';

/** Centres that may be drawn. */
export const CENTRES = { mean: 'mean', iqm: 'mean of the middle half' } as const;
export type Centre = keyof typeof CENTRES;

export interface Share {
  readonly centre: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

export function shareOf(seeds: readonly (number | null)[], by: Centre): Share {
  const estimate = summarise(seeds);
  const { value: centre, interval } =
    by === 'iqm'
      ? robustMean(seeds.filter((seed) => seed !== null))
      : { value: estimate.mean, interval: tellingInterval(estimate) };
  return { centre, interval: interval === null ? null : cutTo(interval, [0, 1]) };
}

/** “62% (51% to 73%)”. */
export function shareInWords({ centre, interval }: Share): string {
  if (centre === null) return 'not measured';
  if (interval === null) return formatPercent(centre);
  return `${formatPercent(centre)} (${formatPercent(interval[0])} to ${formatPercent(interval[1])})`;
}
