/** What came of an arm so far, over its seeds: computed once for each update, whoever asks. */
import { type Estimate, FINAL_UPDATES, summarise } from '../experiment/statistics';
import type { MetricHistory } from './history';

export interface Outcome {
  /** Mean over the last updates. */
  readonly success: Estimate;
  /** Of the last update, nats per observation token. */
  readonly crossEntropy: Estimate;
}

const known = new WeakMap<MetricHistory, { readonly count: number; readonly byArm: Map<number, Outcome> }>();

export function outcomeOf(history: MetricHistory, arm: number): Outcome {
  let outcomes = known.get(history);
  if (outcomes?.count !== history.count) outcomes = { count: history.count, byArm: new Map() };
  known.set(history, outcomes);
  const outcome = outcomes.byArm.get(arm) ?? {
    success: summarise(history.lastOfSeeds(arm, 'successRate', FINAL_UPDATES)),
    crossEntropy: summarise(history.lastOfSeeds(arm, 'observationCrossEntropy', 1)),
  };
  outcomes.byArm.set(arm, outcome);
  return outcome;
}

/** Those of all arms, an arm at a time: a page that is to show them finds them there. */
export function* outcomes(history: MetricHistory): Generator<Outcome> {
  for (let arm = 0; arm < history.arms; arm++) yield outcomeOf(history, arm);
}
