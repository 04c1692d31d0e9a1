/** The newest metrics of a run, for the results in its policies' files. */
import { METRIC, METRICS, type MetricName } from '../../rl/measure/metrics';

/** Updates remembered: results are means over the last few updates, and some may have followed the snapshot. */
const KEPT = 64;

interface Row {
  readonly update: number;
  /** [P, METRICS.length], as curves are kept: a policy's file is the same before and after a reload. */
  readonly metrics: Float32Array;
}

export class RecentMetrics {
  #rows: readonly Row[] = [];

  /** Adds an update, in order. One that is computed again after the device was lost replaces those from it on. */
  add(update: number, values: ArrayLike<number>): void {
    const metrics = Float32Array.from(values);
    const before = this.#rows.filter((row) => row.update < update);
    // An examination counts until the next one, however long ago it was.
    const examined = before.findLast((row) => isExamined(row.metrics));
    this.#rows = [...before.filter((row) => row === examined || row.update > update - KEPT), { update, metrics }];
  }

  /** Forgets the updates from one on. */
  cut(update: number): void {
    this.#rows = this.#rows.filter((row) => row.update < update);
  }

  /** Adds the updates of a run that goes on. curves: [updates, members, METRICS.length], flat. */
  recall(curves: Float32Array, members: number): void {
    const size = members * METRICS.length;
    const updates = curves.length / size;
    for (let update = 0; update < updates; update++) {
      const metrics = curves.subarray(update * size, (update + 1) * size);
      if (update >= updates - KEPT || isExamined(metrics)) this.add(update, metrics);
    }
  }

  /** Remembered values of a member's metrics in the updates below `before`; NaN where undefined. */
  curve(member: number, before: number): (metric: MetricName) => readonly number[] {
    const rows = this.#rows.filter(({ update }) => update < before);
    return (metric) => rows.map(({ metrics }) => metrics[member * METRICS.length + METRIC[metric]] ?? NaN);
  }
}

function isExamined(metrics: Float32Array): boolean {
  for (let at = METRIC.heldOutSuccess; at < metrics.length; at += METRICS.length) {
    if (Number.isFinite(metrics[at])) return true;
  }
  return false;
}
