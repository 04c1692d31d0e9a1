/** The newest metrics of a run: what its policies are said to have reached when they leave it. */
import { METRIC, METRICS, type MetricName } from '../../rl/metrics';

/** Updates remembered: results are means over the last few, and a few more may follow a snapshot. */
const KEPT = 64;

interface Row {
  readonly update: number;
  /** [P, METRICS.length]. */
  readonly metrics: Float64Array;
}

export class RecentMetrics {
  #rows: readonly Row[] = [];

  /** Updates come in order; one that is computed again, after a loss, takes the place of those from it on. */
  add(update: number, metrics: Float64Array): void {
    const before = this.#rows.filter((row) => row.update < update);
    // An examination counts until the next one, however long ago it was.
    const examined = before.findLast((row) => isExamined(row.metrics));
    this.#rows = [...before.filter((row) => row === examined || row.update > update - KEPT), { update, metrics }];
  }

  /** A metric of one member, update by update, as far as it is remembered before an update; NaN where undefined. */
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
