import type { Sweep } from '../../../../../experiment/grid/sweep';
import { formatPercent, formatSetting } from '../../../../kit/format';

/** Every value with its mean: what the picture says, for those who do not see it. */
export function sweepLabel({ setting }: Sweep, points: readonly { value: number; centre: number | null }[]): string {
  const each = points.map(({ value, centre }) => {
    return `${formatSetting(value)}: ${centre === null ? 'not measured' : formatPercent(centre)}`;
  });
  return `Success against ${setting.label}. ${each.join('; ')}`;
}

/** Warning at the best of several values. */
export const FLATTERED = 'The best of several is flattered by chance: other seeds will show it a little lower.';
