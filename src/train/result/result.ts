/**
 * A run's result as one JSON value: curves of every seed and the summary of every arm. Undefined numbers are null. Two
 * runs of the same command differ only in times.
 */
import { instanceOf } from '../../environments/instances';
import { definitionFor } from '../../environments/registry';
import { isFixed } from '../../experiment/arm/policyFiles';
import { formulaLosses } from '../../experiment/arm/roleRegularisers';
import {
  areaUnderCurve,
  final,
  type SeedCurve as Series,
  summarise,
  updatesTo,
} from '../../experiment/conclude/statistics';
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { effectiveArms } from '../../experiment/timeline';
import { isOfFormulas, METRIC, METRICS, type MetricName } from '../../rl/measure/metrics';
import { findNonFinite, type NonFinite } from '../../rl/measure/nonFinite';
import {
  WARM_START_METRICS,
  type WarmStartMetric,
  type WarmStartReading,
  warmStartSeries,
} from '../../rl/measure/warmStartReadings';
import type { Member } from '../../rl/population';
import type { Probed } from '../looks/shown';
import { createEnvironment } from '../population/shape';
import type { Shard } from '../run/keep/checkpoint';
import { type ExaminationResult, lastExamination } from './examination';

/**
 * Series of a member by metric, null where a metric has no value. Each is made when it is asked for: those of a long run are larger
 * than the memory of the process.
 */
export type Curve = { readonly update: number[] } & Readonly<Record<MetricName, (number | null)[]>>;

/** Mean over seeds with its 95% interval; null if there are too few seeds. */
export interface Interval {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

function overSeeds(values: Series): Interval {
  const { mean, interval } = summarise(values);
  return { mean, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

export interface SeedResult {
  readonly seed: number;
  /** Number of its instance of the world (map seed, catalogue number); absent where all seeds have the same. */
  readonly instance?: number;
  readonly curve: Curve;
  /** Readings of the warm start by supervised steps; absent where it was not measured. */
  readonly warmStart?: { readonly step: readonly number[] } & Readonly<Record<WarmStartMetric, (number | null)[]>>;
  /** Last examination; null if there was none. */
  readonly evaluation: ExaminationResult | null;
  /** Update from which on the gradient was not finite, and why; null while it is finite. */
  readonly nonFinite: NonFinite | null;
}

/** Success of an arm over its seeds. */
export interface ArmSummary {
  /** Mean of the last updates. */
  readonly final: Interval;
  /** Area under the curve. */
  readonly auc: Interval;
  /** Updates until each level, one number a seed; null if not reached, and for fixed policies, which do not learn. */
  readonly updatesTo: Record<string, (number | null)[]>;
}

export interface ArmResult {
  readonly id: string;
  readonly name: string;
  readonly seeds: readonly SeedResult[];
  readonly summary: ArmSummary;
}

/** Members that one machine trained, as arm/seed. */
export interface RunPart {
  readonly members: readonly string[];
  readonly backend: string;
  readonly adapter: string;
  readonly machines: readonly MachineEntry[];
}

export interface RunResult {
  readonly experiment: Experiment;
  readonly backend: string;
  readonly adapter: string;
  /** Machines it ran on, and the code, each from some update on. */
  readonly machines: readonly MachineEntry[];
  readonly wallSeconds: number;
  readonly tokens: number;
  /** Share of the run that its members are; absent where they are all. */
  readonly shard?: Shard;
  /** Parts of a run that was put together from different machines or code; absent where all were alike. */
  readonly parts?: readonly RunPart[];
  /** Probes since the run was begun or resumed; absent unless asked for. */
  readonly probes?: readonly Probed[];
  readonly arms: readonly ArmResult[];
}

/** An object whose values are made when they are read. */
function onDemand<T>(entries: readonly (readonly [keyof T & string, () => unknown])[]): T {
  const values = entries.map(([name, get]) => [name, { get, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(values)) as T;
}

/** Result of a run. `curves`: metrics, [updates, P, METRICS.length]. */
export function buildResult(
  { warmStart = [], ...run }: Omit<RunResult, 'arms' | 'probes'> & { readonly warmStart?: readonly WarmStartReading[] },
  members: readonly Member[],
  curves: Float32Array,
  broken: ReadonlySet<number> = new Set(),
): RunResult {
  const updates = curves.length / (members.length * METRICS.length);
  const series = (member: number, metric: MetricName): (number | null)[] =>
    Array.from({ length: updates }, (_, update) => {
      const value = curves[(update * members.length + member) * METRICS.length + METRIC[metric]] as number;
      return Number.isFinite(value) ? value : null;
    });
  const hasHeldOut = (): boolean => createEnvironment(run.experiment).hasHeldOut === true;
  const arms = run.experiment.arms.map((arm, armIndex) => {
    const withFormulas = hasFormulas(run.experiment, arm.id);
    const seeds = members.flatMap((member, index) => {
      if (member.armIndex !== armIndex) return [];
      const metrics = METRICS.filter((metric) => !isOfFormulas(metric) || withFormulas);
      const update = (): number[] => Array.from({ length: updates }, (_, i) => i);
      const curve = onDemand<Curve>([
        ['update', update],
        ...metrics.map((metric) => [metric, () => series(index, metric)] as const),
      ]);
      const faults = series(index, 'formulaFault');
      const nonFinite = findNonFinite(curve.gradNorm, run.experiment, member, broken.has(index), faults);
      const instance = instanceFor(run.experiment, member.seed);
      return [
        {
          seed: member.seed,
          ...(instance !== undefined && { instance }),
          curve,
          ...(warmStart.length > 0 && arm.warmStart !== 'none' && { warmStart: readingsOf(warmStart, index) }),
          evaluation: lastExamination(curve, hasHeldOut),
          nonFinite,
        },
      ];
    });
    const success = seeds.map(({ curve }) => curve.successRate);
    return { id: arm.id, name: arm.name, seeds, summary: summaryOf(success, isFixed(arm)) };
  });
  return { ...run, arms };
}

/** Summary of an arm. `success`: its curve of the success rate for each seed; `fixed`: true for a policy that does not learn. */
export function summaryOf(success: readonly Series[], fixed: boolean): ArmSummary {
  const levels = ['0.25', '0.5', '0.8'];
  return {
    final: overSeeds(success.map((curve) => final(curve))),
    auc: overSeeds(success.map(areaUnderCurve)),
    updatesTo: Object.fromEntries(
      levels.map((level) => [level, success.map((curve) => (fixed ? null : updatesTo(curve, Number(level))))]),
    ),
  };
}

function readingsOf(readings: readonly WarmStartReading[], member: number) {
  const series = WARM_START_METRICS.map((metric) => [metric, warmStartSeries(readings, member, metric)] as const);
  return {
    step: readings.map(({ step }) => step),
    ...(Object.fromEntries(series) as Record<WarmStartMetric, (number | null)[]>),
  };
}

/** Number of a seed's instance of the world; undefined where all seeds have the same. */
function instanceFor({ environment: { id, settings } }: Experiment, seed: number): number | undefined {
  const definition = definitionFor(id, settings);
  return definition && instanceOf(definition, settings, seed);
}

/** True if an arm has a formula at any time: metrics of formulas are left out of the others' curves. */
function hasFormulas(experiment: Experiment, id: string): boolean {
  const updates = new Set([0, ...experiment.timeline.map(({ update }) => update)]);
  return [...updates].some((update) =>
    effectiveArms(experiment, update).some((arm) => arm.id === id && formulaLosses(arm).length > 0),
  );
}
