/**
 * Health of a run, from its curves: each failure's criterion is judged for every seed of an arm, and the seeds together
 * give one light. Pure functions of the curves so far, which do not know where curves are kept.
 */
import type { Arm } from '../experiment';
import { BEGINNING, type FailureSign, type HealthMetric, type Symptoms } from './failures';

export { FAILURES, type FailureId, type FailureSign, type HealthMetric } from './failures';

export type HealthState = 'unknown' | 'fine' | 'warning' | 'failing';

/** One seed's curves. */
export interface SeedCurves {
  /** Updates measured so far. */
  readonly count: number;
  /** Metric at an update; NaN where nothing was measured. */
  at(update: number, metric: HealthMetric): number;
}

/** Facts of an arm that criteria need besides its curves. */
export type ArmFacts = Pick<Symptoms, 'words' | 'worthOfSuccess'>;

/** One failure in one seed of an arm. */
export interface SeedLight {
  readonly state: HealthState;
  /** The criterion's value, NaN while it is unknown. */
  readonly value: number;
}

/** One failure in one arm. */
export interface Light {
  /** Failing if at least half of the known seeds fail; a warning if any fails or at least half fail or warn; else fine. */
  readonly state: HealthState;
  /** Lights of the seeds, in their order. */
  readonly seeds: readonly SeedLight[];
}

/** Reward that a success adds to an episode, from the outcome part alone; 1 if the outcome pays nothing. */
export function worthOfSuccess({ reward, outcomeForm }: Pick<Arm, 'reward' | 'outcomeForm'>): number {
  const worth = reward.outcome * (outcomeForm === 'signed' ? 2 : 1);
  return worth > 0 ? worth : 1;
}

/** Light of one seed: unknown during the first BEGINNING updates and where the value is undefined. */
export function judgeSeed(failure: FailureSign, curves: SeedCurves, facts: ArmFacts): SeedLight {
  if (curves.count < BEGINNING) return { state: 'unknown', value: Number.NaN };
  const symptoms: Symptoms = {
    ...facts,
    first: (metric) => meanOf(curves, metric, 0, BEGINNING),
    now: (metric) => meanOf(curves, metric, Math.max(0, curves.count - failure.window), curves.count),
  };
  const value = failure.value(symptoms);
  if (Number.isNaN(value)) return { state: 'unknown', value };
  const passes = (threshold: number): boolean => (failure.worse === 'above' ? value > threshold : value < threshold);
  if (!passes(failure.warning) || failure.unless?.holds(symptoms) === true) return { state: 'fine', value };
  return { state: passes(failure.failing) && curves.count >= failure.window ? 'failing' : 'warning', value };
}

/** Light of one failure in an arm, from the curves of its seeds. */
export function judgeArm(failure: FailureSign, seeds: readonly SeedCurves[], facts: ArmFacts): Light {
  const lights = seeds.map((curves) => judgeSeed(failure, curves, facts));
  const half = lights.filter(({ state }) => state !== 'unknown').length / 2;
  const failing = countOf(lights, 'failing');
  const ill = failing + countOf(lights, 'warning');
  if (half === 0) return { state: 'unknown', seeds: lights };
  if (failing >= half) return { state: 'failing', seeds: lights };
  return { state: failing > 0 || ill >= half ? 'warning' : 'fine', seeds: lights };
}

export function countOf(lights: readonly SeedLight[], counted: HealthState): number {
  return lights.filter(({ state }) => state === counted).length;
}

/** Mean over the measured updates of first … end − 1; NaN if there is none. */
function meanOf(curves: SeedCurves, metric: HealthMetric, first: number, end: number): number {
  let sum = 0;
  let measured = 0;
  for (let update = first; update < Math.min(end, curves.count); update++) {
    const value = curves.at(update, metric);
    if (Number.isNaN(value)) continue;
    sum += value;
    measured += 1;
  }
  return sum / measured;
}
