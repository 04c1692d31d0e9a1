/** Success of an arm in a cell: its centre over seeds and 95% interval, cut to where a share can be. */
import { robustMean } from '../../../../../experiment/conclude/comparison';
import { cutTo, summarise, tellingInterval } from '../../../../../experiment/conclude/statistics';
import type { ArmNumbers } from '../../../../../experiment/grid/finding';
import { formatPercent } from '../../../../kit/format';

/** Centres that may be drawn. */
export const CENTRES = { mean: 'mean', iqm: 'interquartile mean' } as const;
export type Centre = keyof typeof CENTRES;

export interface Share {
  readonly centre: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

export function shareOf({ seeds }: Pick<ArmNumbers, 'seeds'>, by: Centre): Share {
  const { centre, interval } = by === 'iqm' ? robustly(seeds) : plainly(seeds);
  return { centre, interval: interval === null ? null : cutTo(interval, [0, 1]) };
}

function robustly(seeds: ArmNumbers['seeds']): Share {
  const { value, interval } = robustMean(seeds.filter((seed) => Number.isFinite(seed)) as number[]);
  return { centre: value, interval };
}

function plainly(seeds: ArmNumbers['seeds']): Share {
  const estimate = summarise(seeds);
  return { centre: estimate.mean, interval: tellingInterval(estimate) };
}

/** “62% (51% to 73%)”. */
export function shareInWords({ centre, interval }: Share): string {
  if (centre === null) return 'not measured';
  if (interval === null) return formatPercent(centre);
  return `${formatPercent(centre)} (${formatPercent(interval[0])} to ${formatPercent(interval[1])})`;
}
