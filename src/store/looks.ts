/**
 * Looks: measurements of a run that were made only because the user asked, in the order of updates: linear probes and
 * dreams. They are kept with the run and saved with its data.
 */
import * as v from 'valibot';
import type { Probed } from '../train/protocol';
import type { DreamPoint } from './dreamPoints';

export interface Looks {
  readonly probed: readonly Probed[];
  /** Points of all dreams since the run began. */
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

/** Looks of a kept run; empty if it has none, or if another version of the lab wrote them in another form. */
export function readLooks(kept: unknown): Looks {
  const { success, output } = v.safeParse(KEPT, kept);
  return success ? output : { probed: [], dreamPoints: [] };
}
