/**
 * A run's result as one JSON value: curves of every seed and the summary of every arm. Undefined numbers are null, times
 * are the only thing that differs between two runs of the same command.
 */
import type { Experiment } from '../experiment/experiment';
import type { MachineEntry } from '../experiment/machines';
import { isFixed } from '../experiment/policyFiles';
import { areaUnderCurve, final, type Curve as Series, summarise, updatesTo } from '../experiment/statistics';
import { METRIC, METRICS, type MetricName } from '../rl/metrics';
import type { Member } from '../rl/population';
import type { Probed } from '../train/protocol';
import { type ExaminationResult, lastExamination } from './examination';

type Curve = { update: number[] } & Record<MetricName, (number | null)[]>;

/** Mean over seeds with its 95% interval; null where there are not enough seeds. */
export interface Interval {
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

function overSeeds(values: Series): Interval {
  const { mean, interval } = summarise(values);
  return { mean, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

export interface RunResult {
  readonly experiment: Experiment;
  readonly backend: string;
  readonly adapter: string;
  /** What it ran on, from which update on; more than one entry where that changed under way. */
  readonly machines: readonly MachineEntry[];
  readonly wallSeconds: number;
  readonly tokens: number;
  /** Where they were asked for: since the run was begun or resumed. */
  readonly probes?: readonly Probed[];
  readonly arms: readonly {
    readonly id: string;
    readonly name: string;
    readonly seeds: readonly {
      readonly seed: number;
      readonly curve: Curve;
      /** The last one; null where there was none. */
      readonly evaluation: ExaminationResult | null;
    }[];
    readonly summary: {
      readonly final: Interval;
      readonly auc: Interval;
      /** By level, one number a seed; null where it was not reached, and of a fixed policy, which gets nowhere. */
      readonly updatesTo: Record<string, (number | null)[]>;
    };
  }[];
}

/** `curves` [updates, P, METRICS.length] flat. */
export function buildResult(
  run: {
    experiment: Experiment;
    backend: string;
    adapter: string;
    machines: readonly MachineEntry[];
    wallSeconds: number;
    tokens: number;
  },
  members: readonly Member[],
  curves: Float32Array,
): RunResult {
  const updates = curves.length / (members.length * METRICS.length);
  const series = (member: number, metric: MetricName): (number | null)[] =>
    Array.from({ length: updates }, (_, update) => {
      const value = curves[(update * members.length + member) * METRICS.length + METRIC[metric]] as number;
      return Number.isFinite(value) ? value : null;
    });
  const arms = run.experiment.arms.map((arm, armIndex) => {
    const seeds = members.flatMap((member, index) => {
      if (member.armIndex !== armIndex) return [];
      const entries = METRICS.map((metric) => [metric, series(index, metric)] as const);
      const update = Array.from({ length: updates }, (_, i) => i);
      const curve = { update, ...Object.fromEntries(entries) } as Curve;
      return [{ seed: member.seed, curve, evaluation: lastExamination(curve) }];
    });
    const success = seeds.map(({ curve }) => curve.successRate);
    return {
      id: arm.id,
      name: arm.name,
      seeds,
      summary: {
        final: overSeeds(success.map((curve) => final(curve))),
        auc: overSeeds(success.map(areaUnderCurve)),
        updatesTo: Object.fromEntries(
          ['0.25', '0.5', '0.8'].map((level) => [
            level,
            success.map((curve) => (isFixed(arm) ? null : updatesTo(curve, Number(level)))),
          ]),
        ),
      },
    };
  });
  return { ...run, arms };
}
