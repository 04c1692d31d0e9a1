/** Success of an arm in a cell: mean over seeds and 95% interval, cut to where a share can be. */

import { cutTo, summarise, tellingInterval } from '../../../../../experiment/conclude/statistics';
import type { CellNumbers } from '../../../../../experiment/grid/finding';
import { formatPercent } from '../../../../kit/format';

type ArmNumbers = CellNumbers['arms'][number];

export function shareOf({ seeds }: ArmNumbers) {
  const estimate = summarise(seeds.map(({ final }) => final));
  const interval = tellingInterval(estimate);
  return { mean: estimate.mean, interval: interval === null ? null : cutTo(interval, [0, 1]) };
}

/** “62% (51% to 73%)”. */
export function shareInWords(arm: ArmNumbers): string {
  const { mean, interval } = shareOf(arm);
  if (mean === null) return 'not measured';
  if (interval === null) return formatPercent(mean);
  return `${formatPercent(mean)} (${formatPercent(interval[0])} to ${formatPercent(interval[1])})`;
}
