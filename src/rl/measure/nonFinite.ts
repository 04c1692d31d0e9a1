/**
 * Non-finite gradients: the update from which on a policy takes no step (the optimiser skips a step whose gradient norm is
 * not finite), and the likely cause in words: how the norm grew before, and the settings that make it grow.
 */

import { isFixed } from '../../experiment/arm/policyFiles';
import type { Arm, Experiment } from '../../experiment/experiment';
import { effectiveArms } from '../../experiment/timeline';
import type { FloatData } from '../../tensor/backend';
import type { Member } from '../population';
import { type FormulaFault, faultInWords, faultOfMetric } from './formulaFaults';
import { METRIC, METRICS } from './metrics';

export interface NonFinite {
  /**
   * A gradient that is not finite changes nothing; parameters that are not finite are of no use. A formula's loss may not be
   * finite where its derivative is: training goes on.
   */
  readonly what: 'gradient' | 'parameters' | 'loss';
  /** First update from which on no gradient was finite; for parameters, the number of updates before they were found. */
  readonly update: number;
  /** Cause in words, without a full stop. */
  readonly cause: string;
  /** Line of a formula that made it; absent where no formula did. */
  readonly formula?: FormulaFault;
}

type Rates = Pick<Arm, 'learningRate' | 'weightDecay'>;

/** Gradient norm of one member, update by update; a few numbers of it, however long the run. */
class GradientNorms {
  #first = Number.NaN;
  /** Largest power of ten that a norm passed, as its exponent, and the first update that did. */
  #power = Number.NEGATIVE_INFINITY;
  #passedAt = 0;
  #since: number | null = null;

  /** Updates come in order; after the device was lost some come again, with the same norms. */
  add(update: number, norm: number): void {
    if (!Number.isFinite(norm)) {
      this.#since = Math.min(this.#since ?? update, update);
      return;
    }
    this.#since = null;
    if (Number.isNaN(this.#first)) this.#first = norm;
    const power = Math.floor(Math.log10(norm));
    if (power <= this.#power) return;
    this.#power = power;
    this.#passedAt = update;
  }

  /** First update of the non-finite ones; null while the last norm is finite. */
  get since(): number | null {
    return this.#since;
  }

  cause(arm: Rates): string {
    // Before the first step no rate has had an effect.
    if (Number.isNaN(this.#first) && this.#since === 0)
      return 'so from the first update on, which no learning rate causes';
    return `${this.#growth()}; ${ratesInWords(arm)}`;
  }

  #growth(): string {
    if (Number.isNaN(this.#first)) return 'the gradient norm was never finite';
    const hasGrown = this.#power - Math.floor(Math.log10(this.#first)) >= 2;
    if (!hasGrown) return `the gradient norm was about ${Number(this.#first.toPrecision(2))} before`;
    return `gradient norm passed ${Number(`1e${this.#power}`)} at update ${this.#passedAt}`;
  }
}

/** AdamW multiplies each weight by 1 − rate · decay before its step: beyond 2 that makes weights larger. */
function ratesInWords({ learningRate, weightDecay }: Rates): string {
  if (weightDecay === 0) return `learning rate ${learningRate}`;
  const factor = Number((1 - learningRate * weightDecay).toPrecision(3));
  const grows = factor < -1 ? `, which multiplies weights by ${factor} at each step` : '';
  return `learning rate ${learningRate} with weight decay ${weightDecay}${grows}`;
}

/** Gradient norms of a population in training. */
export class GradientWatch {
  readonly #experiment: () => Experiment;
  readonly #norms: GradientNorms[] = [];
  readonly #told = new Set<string>();

  /** `experiment`: with the timeline up to that moment. */
  constructor(experiment: () => Experiment) {
    this.#experiment = experiment;
  }

  /** `metrics` [P, METRICS.length]. Returns members whose gradient, or a formula's loss, is not finite in this update; each once. */
  add(update: number, metrics: ArrayLike<number>, members: readonly Member[]): (NonFinite & { member: Member })[] {
    return members.flatMap((member, index) => {
      this.#norms[index] ??= new GradientNorms();
      const norms = this.#norms[index];
      norms.add(update, metrics[index * METRICS.length + METRIC.gradNorm]);
      const metric = metrics[index * METRICS.length + METRIC.formulaFault];
      if (norms.since === null && Number.isNaN(metric)) return [];
      const arm = trainedArm(this.#experiment(), member, update);
      if (arm === null) return [];
      const fault = faultOfMetric(arm, metric);
      const what = norms.since !== null ? 'gradient' : fault !== null ? 'loss' : null;
      if (what === null || this.#told.has(`${what} ${index}`)) return [];
      this.#told.add(`${what} ${index}`);
      return [{ member, what, update, cause: norms.cause(arm), ...(fault && { formula: fault }) }];
    });
  }

  /** Indices of members whose gradient was not finite in the last update, or in the last `least` until `update`. */
  nonFinite(least = 1, update = Number.POSITIVE_INFINITY): number[] {
    return [...this.#norms.keys()].filter((index) => {
      const since = this.#norms[index]?.since ?? null;
      return since !== null && update - since + 1 >= least;
    });
  }

  /** Since when members (by index) take no step, and why; fixed policies are left out. */
  describe(indices: readonly number[], members: readonly Member[]): (NonFinite & { member: Member })[] {
    return indices.flatMap((index) => {
      const [norms, member] = [this.#norms[index], members[index]];
      if (norms === undefined || member === undefined || norms.since === null) return [];
      const arm = trainedArm(this.#experiment(), member, norms.since);
      const what = 'gradient' as const;
      return arm === null ? [] : [{ member, what, update: norms.since, cause: norms.cause(arm) }];
    });
  }

  /** Forgets all: the run goes on from a state before. */
  forget(): void {
    this.#norms.length = 0;
    this.#told.clear();
  }
}

/** Arm of a member in an update; null if it is a fixed policy, which takes no steps. */
function trainedArm(experiment: Experiment, { armIndex }: Member, update: number): Arm | null {
  const arm = effectiveArms(experiment, update)[armIndex];
  return arm === undefined || isFixed(arm) ? null : arm;
}

/**
 * State of a member at the end: null if all is finite. `norms`: its gradient norm at each update; null or NaN where not
 * finite. `isBroken`: a parameter is not finite. `faults`: its formulaFault at each update, where it has such.
 */
export function findNonFinite(
  norms: readonly (number | null)[],
  experiment: Experiment,
  member: Member,
  isBroken: boolean,
  faults: readonly (number | null)[] = [],
): NonFinite | null {
  const watch = new GradientNorms();
  norms.forEach((norm, update) => {
    watch.add(update, norm ?? Number.NaN);
  });
  if (watch.since === null && !isBroken) return null;
  const update = watch.since ?? norms.length;
  const arm = trainedArm(experiment, member, update);
  if (arm === null) return null;
  const fault = faultOfMetric(arm, faults[update] ?? null);
  const what = isBroken ? 'parameters' : 'gradient';
  return { what, update, cause: watch.cause(arm), ...(fault && { formula: fault }) };
}

/** Indices of members with a parameter that is not finite. `parameters` [members that train, N], flat. */
export function brokenMembers(
  { arms }: Pick<Experiment, 'arms'>,
  members: readonly Member[],
  parameters: FloatData,
): ReadonlySet<number> {
  const trained = [...members.keys()].filter(
    (index) => !arms.some((arm, i) => i === members[index].armIndex && isFixed(arm)),
  );
  const size = parameters.length / trained.length;
  return new Set(trained.filter((_, row) => !parameters.subarray(row * size, (row + 1) * size).every(Number.isFinite)));
}

/** Sentence about a member. */
export function nonFiniteWords(name: string, { what, update, cause, formula }: NonFinite): string {
  if (what === 'parameters') return `${name}: parameters are not finite since update ${update} (${cause}).`;
  const why = formula === undefined ? '' : `: ${faultInWords(formula)}`;
  if (what === 'loss') return `${name}: the loss was not finite at update ${update}, its derivative was${why}.`;
  return `${name}: the gradient was not finite at update ${update}, so no step was taken${why} (${cause}).`;
}
