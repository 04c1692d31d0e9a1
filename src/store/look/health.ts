/** Lights of a run, from the measurements so far: [arms][failures]. */

import { isFixed } from '../../experiment/arm/policyFiles';
import { FAILURES, judgeArm, type Light, type SeedCurves, worthOfSuccess } from '../../experiment/conclude/health';
import type { Arm } from '../../experiment/experiment';
import type { MetricHistory } from '../../measured/history';

/** `history`: null before the first run; `words`: size of the vocabulary. */
export function lightsOf(history: MetricHistory | null, arms: readonly Arm[], words: number): Light[][] {
  return arms.map((arm, index) => {
    const facts = { words, worthOfSuccess: worthOfSuccess(arm) };
    // A fixed policy does not train, so its training cannot fail.
    const seeds = history === null || isFixed(arm) ? [] : seedsOf(history, index);
    return FAILURES.map((failure) => judgeArm(failure, seeds, facts));
  });
}

function seedsOf(history: MetricHistory, arm: number): SeedCurves[] {
  return Array.from({ length: history.seeds }, (_, seed) => ({
    count: history.count,
    at: (update, metric) => history.at(update, arm, seed, metric),
  }));
}
