/** Training of one seed of a run, on one thread of the CPU backend, and the numbers of it that are compared. */

import { areaUnderCurve, final, firstOf, meanOf } from '../../experiment/conclude/statistics';
import { NUMERICS } from '../../experiment/provenance';
import { chooseNodeBackend } from '../../node/backend';
import { threadPool } from '../../node/poolThread';
import type { SteeringShares } from '../../rl/look/steering/measure';
import { METRIC, METRICS, type MetricName } from '../../rl/measure/metrics';
import { membersOf } from '../../rl/population';
import type { MemberProbes } from '../../train/looks/shown';
import { surveyOf } from '../../train/looks/steer';
import { openTraining } from '../../train/run/choose/opening';
import { findPolicies } from '../policy/namedPolicies';
import { experimentOf, type ProbedOutcome, type RunOutcome, type WantedRuns, type WatchedMetric } from './ledger';

/** Pool of one: training stays in this process. */
const HERE = threadPool(1, 1, new URL(import.meta.url));
const POINTS = 20;

export async function trainSeed(
  { fields, probeEvery, arm, watch, steers = false }: WantedRuns,
  seed: number,
): Promise<{ device: string; numerics: number; outcome: RunOutcome }> {
  const experiment = experimentOf(fields);
  const started = performance.now();
  const { training, chosen } = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', HERE),
    policies: await findPolicies(experiment, []),
    members: { members: membersOf(experiment.arms, [seed]).filter((one) => arm === undefined || one.arm === arm) },
    snapshot: null,
    detail: () => {},
  });
  const rows: ArrayLike<number>[] = [];
  const probes: ProbedOutcome[] = [];
  let steered: SteeringShares[] = [];
  try {
    while (training.finished < experiment.updates) {
      const { metrics } = await training.runUpdate();
      rows.push(await metrics);
      const due = probeEvery !== undefined && (training.finished % probeEvery === 0 || training.finished === 1);
      if (due) probes.push(probesOf(training.finished, (await training.probe(null)) ?? []));
    }
    if (steers)
      steered = (await surveyOf({ snapshot: await training.snapshot(), experiment, machines: [] })).map(shorten);
  } finally {
    training.dispose();
  }
  if (rows[0]?.length !== METRICS.length) throw new RangeError('A run of one member has a row of metrics an update.');
  const curve = (name: MetricName): number[] => rows.map((row) => row[METRIC[name]] ?? Number.NaN);
  const last = (name: MetricName): number | null => round(curve(name).at(-1) ?? Number.NaN);
  const success = curve('successRate');
  const outcome: RunOutcome = {
    seconds: Math.round((performance.now() - started) / 100) / 10,
    area: exact(areaUnderCurve(success)),
    final: exact(final(success)),
    heldOut: last('heldOutSuccess'),
    toolOff: last('toolOffSuccess'),
    success: thin(success).map((value) => value ?? Number.NaN),
    crossEntropy: thin(curve('observationCrossEntropy')),
    ...(probeEvery !== undefined && { probes }),
    ...(steers && { steered }),
    ...(watch !== undefined && { watched: metricsOf(watch, curve) }),
  };
  return { device: chosen.adapter, numerics: NUMERICS[chosen.kind], outcome };
}

/** Watched metrics that the run has. */
function metricsOf(
  watch: readonly MetricName[],
  curve: (name: MetricName) => number[],
): NonNullable<RunOutcome['watched']> {
  const had = watch.filter((name) => curve(name).some(Number.isFinite));
  return Object.fromEntries(had.map((name) => [name, watchedMetric(curve(name))]));
}

const watchedMetric = (curve: readonly number[]): WatchedMetric => ({
  first: round(firstOf(curve) ?? Number.NaN),
  run: round(areaUnderCurve(curve) ?? Number.NaN),
  end: round(final(curve) ?? Number.NaN),
  curve: thin(curve),
});

/** Means over equal parts of a run. */
function thin(curve: readonly number[]): (number | null)[] {
  return Array.from({ length: POINTS }, (_, point) => {
    const [from, to] = [point, point + 1].map((at) => Math.round((at * curve.length) / POINTS));
    return round(meanOf(curve.slice(from, to)) ?? Number.NaN);
  });
}

function exact(value: number | null): number {
  if (value === null) throw new RangeError('Success is defined at every update.');
  return Number(value.toFixed(6));
}

function round(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : null;
}

function probesOf(update: number, members: readonly MemberProbes[]): ProbedOutcome {
  const of = (moment: 'action' | 'answer') =>
    members[0]?.probes.find((probe) => probe.target === 'cell' && probe.moment === moment);
  const short = (values: readonly number[] = []): number[] => values.map((value) => Number(value.toPrecision(3)));
  return {
    update,
    action: short(of('action')?.accuracy),
    answer: short(of('answer')?.accuracy),
    rank: short(of('answer')?.rank),
  };
}

function shorten({ blocks, strength, ...shares }: SteeringShares): SteeringShares {
  const short = Object.entries(shares).map(([name, value]) => [name, Number(value.toPrecision(4))]);
  return { blocks, strength, ...(Object.fromEntries(short) as typeof shares) };
}
