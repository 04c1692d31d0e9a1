/** A kept run, read to go on from: its newest whole state, and its curves until then. */
import type { Experiment } from '../../../experiment/experiment';
import { openWorldsOf } from '../../../experiment/ownWorld';
import { parseExperiment } from '../../../experiment/parse';
import { LabError } from '../../../foundation/errors';
import type { SnapshotArchive } from '../../../storage/snapshots';
import type { Snapshot } from '../../population/training';
import { joinPieces } from '../curvePieces';
import { type Checkpoint, decodeCheckpoint } from './checkpoint';

/** Archive of states; it is opened when it is first needed. */
export type OpenStates = () => Promise<SnapshotArchive>;

export interface KeptRunState extends Checkpoint {
  /** The experiment with every change until the state was kept. */
  readonly checked: Experiment;
  /** Training time of each update, [updates]. */
  readonly seconds: Float32Array;
  /** Sentences for the person: damage that was found. */
  readonly remarks: readonly string[];
  /** The newest healthy state before it, if it is not healthy itself and one is kept. */
  readonly wayBack: Snapshot | null;
}

/** Reads a run's newest whole state. Throws LabError 'storage' if there is none. */
export async function readKept(archive: SnapshotArchive, run: string): Promise<KeptRunState> {
  const entry = (await archive.list()).find((one) => one.run === run);
  const pieces = await archive.curves(run);
  let damage: unknown = null;
  for (const { update } of entry?.states.toReversed() ?? []) {
    const state = await archive.state(run, update);
    if (state === null) continue;
    try {
      const newest = await read(state, pieces, damage !== null);
      const before = entry?.states.findLast((one) => one.healthy && one.update <= update);
      const isHealthy = before === undefined || before.update === update;
      const wayBack = isHealthy ? null : await archive.state(run, before.update);
      return { ...newest, wayBack: wayBack === null ? null : (await read(wayBack, pieces, false)).snapshot };
    } catch (cause) {
      damage ??= cause;
    }
  }
  const why = damage instanceof LabError ? ` ${damage.what}` : '';
  throw new LabError('storage', `The policies of this run are not kept any more.${why}`, 'Run it again.', {
    cause: damage,
  });
}

/** True if a kept state is one that a run with this experiment came by: every change that had acted is the same. */
export function isPastOf({ timeline }: Experiment, { checked, snapshot: { update } }: KeptRunState): boolean {
  const textOfPast = (changes: Experiment['timeline']): string =>
    JSON.stringify(changes.filter((change) => change.update < update));
  return textOfPast(timeline) === textOfPast(checked.timeline);
}

async function read(
  state: Uint8Array,
  pieces: readonly Uint8Array[],
  isOlder: boolean,
): Promise<Omit<KeptRunState, 'wayBack'>> {
  let seconds: Float32Array = new Float32Array();
  let missing = 0;
  const checkpoint = decodeCheckpoint(state, (updates, members) => {
    const curves = joinPieces(pieces, updates, members);
    ({ seconds, missing } = curves);
    return curves.values;
  });
  await openWorldsOf(checkpoint.experiment);
  const { update } = checkpoint.snapshot;
  const older = `The newest kept state of this run is damaged; it goes on from the one before it, after update ${update}.`;
  const gaps = `The curves of ${missing} of ${update} updates were damaged where they were kept; the policies are whole.`;
  const remarks = [...(isOlder ? [older] : []), ...(missing > 0 ? [gaps] : [])];
  return { ...checkpoint, checked: parseExperiment(checkpoint.experiment), seconds, remarks };
}
