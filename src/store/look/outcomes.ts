/** Outcome of an arm so far, over its seeds: computed once for each update and then shared. */
import { type Estimate, FINAL_UPDATES, meanOf, summarise } from '../../experiment/conclude/statistics';
import type { Arm } from '../../experiment/experiment';
import { type ArmNumbers, numbersOf } from '../../experiment/grid/finding';
import type { MetricHistory } from '../../measured/history';
import type { MetricName } from '../../rl/measure/metrics';

export interface ArmEnd {
  /** Success, as a share, over the last FINAL_UPDATES updates. */
  readonly success: Estimate;
  /** Observation cross-entropy of the last update, nats a token. */
  readonly crossEntropy: Estimate;
}

const known = new WeakMap<MetricHistory, { readonly count: number; readonly byArm: Map<number, ArmEnd> }>();

export function outcomeOf(history: MetricHistory, arm: number): ArmEnd {
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

/** Numbers of all arms that a sweep is judged by. */
export const numbersOfArms = (arms: readonly Arm[], history: MetricHistory): ArmNumbers[] =>
  arms.map(({ id, name }, arm) => {
    const curve = (seed: number) => ({ successRate: history.curve(arm, seed, 'successRate') });
    return numbersOf({
      id,
      name,
      seeds: Array.from({ length: history.seeds }, (_, seed) => ({ seed, curve: curve(seed) })),
    });
  });

/** Newest examined update of `count`, with an examination every so many (rl/measure/evaluation.ts); null where none was. */
export function lastExamined(count: number, every: number): number | null {
  if (count === 0) return null;
  return Math.max(0, Math.floor(count / every) * every - 1);
}

/** Mean over seeds in the newest examination, with one every so many updates; null where there was none. */
export function examinedShare(history: MetricHistory, every: number, arm: number, metric: MetricName): number | null {
  const update = every === 0 ? null : lastExamined(history.count, every);
  return update === null ? null : meanOf(history.ofSeeds(update, arm, metric).filter(Number.isFinite));
}

/** Outcomes of all arms, computed one arm a step, so that a page that shows them later need not wait. */
export function* outcomes(history: MetricHistory): Generator<ArmEnd> {
  for (let arm = 0; arm < history.arms; arm++) yield outcomeOf(history, arm);
}
