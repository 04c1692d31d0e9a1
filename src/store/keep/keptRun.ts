/** A kept run with its policies: how both are read and judged. */
import type { Experiment } from '../../experiment/experiment';
import { openWorldsOf } from '../../experiment/ownWorld';
import { checkExperiment } from '../../experiment/parse';
import { apart } from '../../foundation/apart';
import { LabError } from '../../foundation/errors';
import { inSlices, nextTask } from '../../foundation/slices';
import { MetricHistory } from '../../measured/history';
import { inPresentOrder } from '../../rl/measure/metrics';
import type { KeptRun, RunArchive } from '../../storage/runs';
import type { KeptStates } from '../../storage/snapshots';
import { outcomes } from '../look/outcomes';
import { type RunLooks, readLooks } from '../run/looks';

/** Updates in the newest kept state; null if there is none. */
export function newestState(states: KeptStates | undefined): number | null {
  return states?.states.at(-1)?.update ?? null;
}

/**
 * Kept run with the number of updates that every list shows: that of its newest policies, from which it goes on. Curves are
 * saved at other times, so after a crash they may end earlier or later. Without policies it is the number of their points.
 */
export function withNewestCount(run: KeptRun, states: KeptStates | undefined): KeptRun {
  const updates = newestState(states) ?? run.updates;
  return updates === run.updates ? run : { ...run, updates };
}

/** True if policies are kept that have not had all their updates. */
export function isUnfinished(states: KeptStates | undefined): boolean {
  return states !== undefined && (states.states.at(-1)?.update ?? 0) < states.updates;
}

/** True if a run began with these settings; changes while it trained do not count. */
function beganAs(run: KeptRun, settings: Experiment): boolean {
  const { experiment } = checkExperiment(run.experiment);
  const start = (one: Experiment): string => JSON.stringify({ ...one, title: '', updates: 0, timeline: [] });
  return experiment !== null && start(experiment) === start(settings);
}

interface Visit {
  readonly wanted: Experiment;
  /** True if the experiment came with a link. */
  readonly isLinked: boolean;
}

interface Kept {
  /** Kept runs, the newest first. */
  readonly runs: readonly KeptRun[];
  readonly states: Readonly<Record<string, KeptStates>>;
  readonly elsewhere: ReadonlySet<string>;
}

/**
 * Run that a visit begins with. The newest is shown in its last state if it is of the experiment wanted, unless that came with a
 * link. Otherwise a run is offered that these settings began and that did not come to its end; without a link the newest one
 * too, since a browser that is killed loses the settings of the last seconds.
 */
export function runToShow({ wanted, isLinked }: Visit, { runs, states, elsewhere }: Kept) {
  const [newest] = runs;
  const isSame = JSON.stringify(checkExperiment(newest?.experiment).experiment) === JSON.stringify(wanted);
  if (newest !== undefined && !isLinked && isSame) return { shown: newest, offered: null };
  const isCutOff = ({ run = '' }: KeptRun): boolean => isUnfinished(states[run]) && !elsewhere.has(run);
  const offered = runs.find((run) => isCutOff(run) && (beganAs(run, wanted) || (!isLinked && run === newest))) ?? null;
  return { shown: null, offered };
}

/** True if nothing was measured since: a new measurement makes a new array. */
export function areSame(a: RunLooks, b: RunLooks): boolean {
  return a.probed === b.probed && a.dreamPoints === b.dreamPoints && a.warmStart === b.warmStart;
}

export interface ReadRun {
  readonly experiment: Experiment;
  readonly history: MetricHistory;
  readonly looks: RunLooks;
}

/** Kept pieces of a run's curves, from an update on. */
type PiecesFrom = (update: number) => Promise<readonly Uint8Array[]>;

// Loaded when first needed, or ahead of that while the page is idle.
const pieces = apart(() => import('../../train/run/curvePieces'));

/**
 * Run from the archive, read in several tasks: a long one takes the browser as long to hand over as the page to draw. Its
 * curves are those of the updates that `toldAs` gives it. piecesFrom: null where it has no policies.
 */
export async function readRun(
  archive: RunArchive,
  run: KeptRun,
  piecesFrom: PiecesFrom | null = null,
): Promise<ReadRun> {
  await openWorldsOf(run.experiment);
  const { experiment } = checkExperiment(run.experiment);
  const curves = await archive.curves(run.id);
  await nextTask();
  const members = (experiment?.arms.length ?? 0) * (experiment?.seeds ?? 0);
  const updates = (curves?.values.length ?? 0) / (members * (curves?.metrics.length ?? 0));
  const isWhole = Number.isInteger(updates) && (piecesFrom !== null || updates === run.updates);
  const isTimed = (curves?.seconds?.length ?? updates) === updates;
  if (experiment === null || curves === null || !isWhole || !isTimed) {
    const advice = 'Delete it, or run it again from its link.';
    throw new LabError('storage', `“${run.name}” was kept by another version of the lab and cannot be read.`, advice);
  }
  const values = await inSlices(inPresentOrder(curves.values, curves.metrics, updates * members));
  const { seconds = new Float32Array(updates).fill(Number.NaN) } = curves;
  const measured = MetricHistory.of(experiment.arms.length, experiment.seeds, values, seconds);
  if (updates < run.updates && piecesFrom !== null) await goOn(measured, members, await piecesFrom(updates));
  const history = measured.count > run.updates ? measured.until(run.updates) : measured;
  await inSlices(outcomes(history));
  return { experiment, history, looks: readLooks(curves.looks) };
}

/** Adds later measurements, as far as no piece is missing or damaged; nothing where their code does not arrive. */
async function goOn(history: MetricHistory, members: number, later: readonly Uint8Array[]): Promise<void> {
  const code = await pieces().catch(() => null);
  if (code === null) return;
  for (const bytes of later) {
    await nextTask();
    const piece = code.readPiece(bytes, members);
    if (piece === null || piece.from > history.count) return;
    history.append(piece.from, piece.seconds.length, members, piece.values, piece.seconds);
  }
}
