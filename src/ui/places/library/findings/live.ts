/** Numbers of a rerun that is on screen: curves in the parts that are recorded, and the verdict once all updates are in. */

import { areaUnderCurve, final, firstOf, meanOf } from '../../../../experiment/conclude/statistics';
import { type Claim, MEASURES } from '../../../../experiment/findings/claim';
import { type Finding, type Reproduced, reproduced } from '../../../../experiment/findings/finding';
import type { MetricHistory } from '../../../../measured/history';

export interface LivePoint {
  /** Update in the middle of those that the point is the mean of. */
  readonly at: number;
  readonly value: number | null;
}

export interface LiveRerun {
  readonly seeds: number;
  readonly updates: number;
  readonly of: number;
  /** Mean over seeds of the first and the second condition, in as many parts as are recorded. */
  readonly curves: readonly (readonly LivePoint[])[];
  /** Verdict of the rerun; null until the run is through. */
  readonly verdict: Reproduced | null;
}

/** Parts of a run that a recorded curve has a mean of. */
export const PARTS = 20;

/** `of`: updates that the run is to have. */
export function liveOf(of: number, history: MetricHistory, { measure }: Claim, { again }: Finding): LiveRerun {
  const { metric, window, drawn } = MEASURES[measure];
  const seeds = Array.from({ length: history.seeds }, (_, seed) => seed);
  const curves = [0, 1].map((arm) => {
    const own = seeds.map((seed) => history.curve(arm, seed, drawn));
    return Array.from({ length: PARTS }, (_, part): LivePoint => {
      const [from, to] = [part, part + 1].map((at) => Math.round((at * of) / PARTS)) as [number, number];
      const whole = to <= history.count;
      const means = whole ? own.map((curve) => meanOf(curve.subarray(from, to))) : [];
      return { at: (from + to) / 2, value: meanOf(means) };
    });
  });
  const summary = { run: areaUnderCurve, end: final, first: firstOf }[window];
  const [first, second] = [0, 1].map((arm) =>
    seeds.map((seed) => (metric === null ? null : summary(history.curve(arm, seed, metric))) ?? Number.NaN),
  ) as [number[], number[]];
  const verdict = again !== null && history.count >= of ? reproduced(again, first, second) : null;
  return { seeds: history.seeds, updates: history.count, of, curves, verdict };
}
