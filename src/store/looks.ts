/**
 * What was measured of a run only because somebody looked, in the order of updates: what linear probes found, and what dreams
 * came to. It is kept with the run and saved with its data.
 */
import * as v from 'valibot';
import type { Probed } from '../train/protocol';
import type { DreamPoint } from './dreamPoints';

export interface Looks {
  readonly probed: readonly Probed[];
  /** Of all dreams since the run began. */
  readonly dreamPoints: readonly DreamPoint[];
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
});

/** Of a kept run; none where it has none, or another version of the lab kept them otherwise. */
export function readLooks(kept: unknown): Looks {
  const { success, output } = v.safeParse(KEPT, kept);
  return success ? output : { probed: [], dreamPoints: [] };
}
