/** The newest metrics of a run, for the results in its policies' files. */
import { METRIC, METRICS, type MetricName } from '../../rl/metrics';

/** Updates remembered: results are means over the last few updates, and some may have followed the snapshot. */
const KEPT = 64;

interface Row {
  readonly update: number;
  /** [P, METRICS.length]. */
  readonly metrics: Float64Array;
}

export class RecentMetrics {
  #rows: readonly Row[] = [];

  /** Adds an update, in order. One that is computed again after the device was lost replaces those from it on. */
  add(update: number, metrics: Float64Array): void {
    const before = this.#rows.filter((row) => row.update < update);
    // An examination counts until the next one, however long ago it was.
    const examined = before.findLast((row) => isExamined(row.metrics));
    this.#rows = [...before.filter((row) => row === examined || row.update > update - KEPT), { update, metrics }];
  }

  /** Remembered values of a member's metrics in the updates below `before`; NaN where undefined. */
  curve(member: number, before: number): (metric: MetricName) => readonly number[] {
    const rows = this.#rows.filter(({ update }) => update < before);
    return (metric) => rows.map(({ metrics }) => metrics[member * METRICS.length + METRIC[metric]] ?? NaN);
  }
}

function isExamined(metrics: Float64Array): boolean {
  for (let at = METRIC.heldOutSuccess; at < metrics.length; at += METRICS.length) {
    if (Number.isFinite(metrics[at])) return true;
  }
  return false;
}
