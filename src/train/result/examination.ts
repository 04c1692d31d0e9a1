/** Last examination of a member, in the form of the result's JSON; null for parts that were not examined. */
import type { MetricName } from '../../rl/measure/metrics';

export interface ExaminationResult {
  /** Update before whose optimisation it took place. */
  readonly update: number;
  /** Examination on held-out tasks; null where the environment has none, or not in all its worlds. */
  readonly heldOut: Examined | null;
  /** Examination on the same tasks each time that may also be trained on; null where tasks are held out. */
  readonly training: Examined | null;
  /** Success with the tool taken away; null if there is no tool. */
  readonly toolOff: { readonly success: number; readonly greedySuccess: number | null } | null;
}

export interface Examined {
  /** Share of sampled episodes that succeed. */
  readonly success: number | null;
  /** Share of greedy episodes that succeed, one episode a task. */
  readonly greedySuccess: number | null;
  /** pass@k for the powers of 2 up to the group's size, at most 32. */
  readonly passAt: Readonly<Record<string, number>>;
  /** pass^k for 2, 4 and 8, up to the group's size. */
  readonly passHat: Readonly<Record<string, number>>;
  /** Nats an observation token, in fixed episodes that the policy did not play itself. */
  readonly observationCrossEntropy: number | null;
}

type Passes = readonly (readonly [k: string, metric: MetricName])[];

const PASSES: Passes = [
  ['1', 'heldOutSuccess'],
  ['2', 'heldOutPassAt2'],
  ['4', 'heldOutPassAt4'],
  ['8', 'heldOutPassAt8'],
  ['16', 'heldOutPassAt16'],
  ['32', 'heldOutPassAt32'],
];

const PASS_HATS: Passes = [
  ['2', 'heldOutPassHat2'],
  ['4', 'heldOutPassHat4'],
  ['8', 'heldOutPassHat8'],
];

/**
 * Last examination in a member's curves, which have one value an update; null if there was none. `hasHeldOut`: whether the
 * environment sets tasks aside; asked only where there was one.
 */
export function lastExamination(
  curve: Readonly<Record<MetricName, readonly (number | null)[]>>,
  hasHeldOut: () => boolean,
): ExaminationResult | null {
  const update = curve.heldOutSuccess.findLastIndex((value) => value !== null);
  if (update < 0) return null;
  const at = (metric: MetricName): number | null => curve[metric][update] ?? null;
  const toolOff = at('toolOffSuccess');
  const valuesOf = (passes: Passes): Record<string, number> =>
    Object.fromEntries(
      passes.flatMap(([k, metric]) => {
        const value = at(metric);
        return value === null ? [] : [[k, value]];
      }),
    );
  const examined: Examined = {
    success: at('heldOutSuccess'),
    greedySuccess: at('heldOutGreedySuccess'),
    passAt: valuesOf(PASSES),
    passHat: valuesOf(PASS_HATS),
    observationCrossEntropy: at('heldOutCrossEntropy'),
  };
  const isHeldOut = hasHeldOut();
  return {
    update,
    heldOut: isHeldOut ? examined : null,
    training: isHeldOut ? null : examined,
    toolOff: toolOff === null ? null : { success: toolOff, greedySuccess: at('toolOffGreedySuccess') },
  };
}
