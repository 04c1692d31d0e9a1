/**
 * Progress of each arm when an update was measured, on the axis of the charts. A measurement belongs to the policy before
 * its update, so the first one stands at 0 on every axis.
 */
import type { Experiment } from '../experiment/experiment';
import type { MetricHistory } from './history';

/** Horizontal axis of the charts. */
export type ProgressAxis = 'updates' | 'tokens' | 'seconds';

export class Progress {
  readonly #history: MetricHistory;
  /** Trajectories a member learns from in an update. */
  readonly #trajectories: number;
  /** Sums over the updates before, for each axis [updates known, arms]. */
  readonly #sums: Record<'tokens' | 'seconds', number[][]>;

  constructor(history: MetricHistory, { batch }: Pick<Experiment, 'batch'>) {
    this.#history = history;
    this.#trajectories = batch.groups * batch.groupSize;
    const nothing = new Array<number>(history.arms).fill(0);
    this.#sums = { tokens: [nothing], seconds: [nothing] };
  }

  /**
   * Progress before an update: updates done, or tokens of the trajectories that a member has learned from (mean over the
   * arm's members), or seconds of training without pauses. null if it was not recorded.
   */
  at(axis: ProgressAxis, update: number, arm: number): number | null {
    if (axis === 'updates') return update;
    if (update > this.#history.count) return null;
    const sums = this.#sums[axis];
    while (sums.length <= update) sums.push(this.#next(axis, sums.length - 1, sums.at(-1) as number[]));
    const sum = sums[update]?.[arm] ?? Number.NaN;
    return Number.isFinite(sum) ? sum : null;
  }

  #next(axis: 'tokens' | 'seconds', update: number, before: readonly number[]): number[] {
    const seconds = this.#history.secondsOf(update);
    return before.map((sum, arm) => sum + (axis === 'seconds' ? seconds : this.#tokensIn(update, arm)));
  }

  #tokensIn(update: number, arm: number): number {
    const each = this.#history.ofSeeds(update, arm, 'trajectoryTokens');
    return (each.reduce((sum, length) => sum + length, 0) / each.length) * this.#trajectories;
  }
}
