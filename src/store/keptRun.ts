/** A kept run and what is kept of its policies: how it is read and judged. */
import type { Experiment } from '../experiment/experiment';
import { openWorldsOf } from '../experiment/ownWorld';
import { checkExperiment } from '../experiment/parse';
import { LabError } from '../foundation/errors';
import { inPresentOrder } from '../rl/metrics';
import type { KeptRun, RunArchive } from '../storage/runs';
import type { KeptStates } from '../storage/snapshots';
import type { RecordedRun } from './contenders';
import { MetricHistory } from './history';
import { type Looks, readLooks } from './looks';
import { outcomes } from './outcomes';
import { inSlices, nextTask } from './slices';

/** Updates in the newest kept state; null if there is none. */
export function newestState(states: KeptStates | undefined): number | null {
  return states?.states.at(-1)?.update ?? null;
}

/** True if policies are kept that have not had all their updates. */
export function isUnfinished(states: KeptStates | undefined): boolean {
  return states !== undefined && (states.states.at(-1)?.update ?? 0) < states.updates;
}

/** True if a run began with these settings, whatever was changed while it trained. */
export function beganAs(run: KeptRun, wanted: Experiment): boolean {
  const { experiment } = checkExperiment(run.experiment);
  const start = (one: Experiment): string => JSON.stringify({ ...one, title: '', updates: 0, timeline: [] });
  return experiment !== null && start(experiment) === start(wanted);
}

/** True if nothing was measured since: a new measurement makes a new array. */
export function areSame(a: Looks, b: Looks): boolean {
  return a.probed === b.probed && a.dreamPoints === b.dreamPoints;
}

export async function recorded(archive: RunArchive, run: KeptRun): Promise<RecordedRun> {
  const { experiment, history } = await readRun(archive, run);
  return { experiment, history, id: run.id, label: run.name };
}

export interface ReadRun {
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  readonly looks: Looks;
}

/** Run from the archive, read in several tasks: a long one takes the browser as long to hand over as the page to draw. */
export async function readRun(archive: RunArchive, run: KeptRun): Promise<ReadRun> {
  await openWorldsOf(run.experiment);
  const { experiment } = checkExperiment(run.experiment);
  const curves = await archive.curves(run.id);
  await nextTask();
  const rows = (experiment?.arms.length ?? 0) * (experiment?.seeds ?? 0) * run.updates;
  const isWhole = curves?.values.length === rows * (curves?.metrics.length ?? 0);
  const isTimed = (curves?.seconds?.length ?? run.updates) === run.updates;
  if (experiment === null || curves === null || !isWhole || !isTimed) {
    const advice = 'Delete it, or run it again from its link.';
    throw new LabError('storage', `“${run.name}” was kept by another version of the lab and cannot be read.`, advice);
  }
  const values = await inSlices(inPresentOrder(curves.values, curves.metrics, rows));
  const { seconds = new Float32Array(run.updates).fill(Number.NaN) } = curves;
  const history = MetricHistory.of(experiment.arms.length, experiment.seeds, values, seconds);
  await inSlices(outcomes(history));
  return { experiment, history, looks: readLooks(curves.looks) };
}
