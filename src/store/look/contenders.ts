/** Contenders of the comparison: each arm of the run on screen and of the runs beside it, with one number a seed. */

import { isFixed } from '../../experiment/arm/policyFiles';
import { SUMMARIES, type Summary, summaryOf } from '../../experiment/conclude/comparison';
import type { Experiment } from '../../experiment/experiment';
import type { MetricHistory } from '../../measured/history';
import type { MetricName } from '../../rl/measure/metrics';

export interface RecordedRun {
  /** Id in the archive; 0 for the run on screen. */
  readonly id: number;
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  /** Text after the names of its arms; empty for the run on screen. */
  readonly label: string;
}

export interface Contender {
  readonly key: string;
  readonly name: string;
  readonly run: RecordedRun;
  /** Index of the arm in the run's history. */
  readonly arm: number;
  /** True for a fixed policy, which learned nothing. */
  readonly isFixed: boolean;
}

export function contendersOf(runs: readonly RecordedRun[]): Contender[] {
  return runs.flatMap((run) =>
    run.experiment.arms.map((setup, arm) => {
      const name = run.label === '' ? setup.name : `${setup.name}, ${run.label}`;
      return { key: `${run.id} ${setup.id}`, name, run, arm, isFixed: isFixed(setup) };
    }),
  );
}

/** Number of updates that all runs have: they are compared over these. */
export function commonUpdates(runs: readonly RecordedRun[]): number {
  return Math.min(...runs.map(({ history }) => history.count));
}

/** One number a seed. Updates to a level are NaN for a fixed policy: it is there from the beginning or never. */
export function summariesOfSeeds(
  contender: Contender,
  metric: MetricName,
  summary: Summary,
  updates: number,
): number[] {
  const { history } = contender.run;
  const isUndefined = contender.isFixed && SUMMARIES[summary].level !== null;
  return Array.from({ length: history.seeds }, (_, seed) =>
    isUndefined ? Number.NaN : summaryOf(history.curve(contender.arm, seed, metric), summary, updates),
  );
}

/** True if the same seed means the same start and the same tasks in both. */
export function arePaired(first: Contender, second: Contender): boolean {
  const [a, b] = [first.run.experiment, second.run.experiment];
  return a.seed === b.seed && JSON.stringify(a.environment) === JSON.stringify(b.environment);
}
