/**
 * Looks: measurements of a run that were made only because the user asked, in the order of updates: linear probes, dreams
 * and readings of a warm start. They are kept with the run and saved with its data.
 */
import * as v from 'valibot';
import { type WarmStartReading, WarmStartReadingSchema } from '../../rl/measure/warmStartReadings';
import type { Probed } from '../../train/looks/shown';
import type { DreamPoint } from './dreamPoints';

export interface RunLooks {
  readonly probed: readonly Probed[];
  /** Points of all dreams since the run began. */
  readonly dreamPoints: readonly DreamPoint[];
  /** Readings of the warm start, in the order of its steps; members as in `metrics`. */
  readonly warmStart: readonly WarmStartReading[];
}

const numbers = v.array(v.union([v.number(), v.nan()]));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const KEPT = v.object({
  probed: v.array(
    v.object({
      update: count,
      members: v.array(
        v.object({
          arm: v.string(),
          seed: count,
          probes: v.array(
            v.object({
              target: v.string(),
              moment: v.picklist(['action', 'answer']),
              examples: count,
              classes: count,
              majority: v.number(),
              accuracy: numbers,
              untrained: numbers,
              rank: v.optional(numbers),
            }),
          ),
        }),
      ),
    }),
  ),
  dreamPoints: v.array(
    v.object({
      update: count,
      byArm: v.record(v.string(), v.object({ agreement: numbers, sensitivity: v.union([v.number(), v.nan()]) })),
    }),
  ),
  /** Readings; absent in runs from before there were any. */
  warmStart: v.optional(v.array(WarmStartReadingSchema), []),
});

/** Looks of a kept run; empty if it has none, or if another version of the lab wrote them in another form. */
export function readLooks(kept: unknown): RunLooks {
  const { success, output } = v.safeParse(KEPT, kept);
  return success ? output : { probed: [], dreamPoints: [], warmStart: [] };
}
