/** A chart's vertical axis as a person set it: its range, and whether it is logarithmic. */

import type { AxisByHand } from '../../../../store/keep/preferences';
import { logTicks, ticksBetween, type ValueAxis } from '../../../kit/plot/axes';

export type { AxisByHand };

/** Axis of a chart that nobody has changed. */
export const AS_MEASURED: AxisByHand = { log: false, low: null, high: null };

export const isByHand = ({ log, low, high }: AxisByHand): boolean => log || low !== null || high !== null;

/** Lowest part of a logarithmic axis whose chart has no positive value, as a share of its top. */
const LEAST = 1e-3;

/** `usual`: the axis as the chart has it; `least`: smallest positive value drawn, or null. An empty range is the usual one. */
export function axisByHand(usual: ValueAxis, { log, low, high }: AxisByHand, least: number | null): ValueAxis {
  const top = high ?? usual.domain[1];
  const asked = low ?? usual.domain[0];
  const bottom = log && asked <= 0 ? (least ?? top * LEAST) : asked;
  if (!(top > bottom)) return usual;
  const isLog = log && bottom > 0;
  return { domain: [bottom, top], ticks: isLog ? logTicks(bottom, top) : ticksBetween(bottom, top, 4), log: isLog };
}
