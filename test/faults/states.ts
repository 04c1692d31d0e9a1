/**
 * Faults of the states that a browser keeps of a run that trains in the page: a request to its storage fails, or a kept state is
 * damaged. What was said to be kept must be read back whole, or the state before it.
 */
import { findPreset } from '../../src/experiment/presets/presets';
import { METRICS } from '../../src/rl/measure/metrics';
import { openSnapshotArchive } from '../../src/storage/snapshots';
import { encodePiece } from '../../src/train/run/curvePieces';
import { encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { readKept } from '../../src/train/run/keep/keptStates';
import { countRequests, emptyStorage, failRequests, putForeign } from '../support/fakeStorage';
import { ScriptedTraining } from '../support/scriptedTraining';
import { type Fault, times } from './fault';

const RUN = 'f00d';
const SAVES = 4;
const preset = findPreset('gridworld-tiny');
if (preset === undefined) throw new Error('There is no preset gridworld-tiny.');
const { experiment } = preset;

/** State after so many updates, and the piece of curves that belongs to it. */
async function saveAfter(update: number) {
  const training = new ScriptedTraining(experiment);
  training.finished = update;
  const snapshot = await training.snapshot();
  const run = { experiment, backend: 'cpu' as const, machines: [{ update: 0, backend: 'cpu' as const }] };
  const state = encodeCheckpoint({ ...run, snapshot, curves: new Float32Array(), tokens: 0 }, 'apart');
  const metrics = new Float32Array(training.members.length * METRICS.length).fill(update);
  const curves = encodePiece(update - 1, [{ metrics, seconds: 1, tokens: 1 }]);
  return {
    run: RUN,
    update,
    updates: experiment.updates,
    seconds: update,
    from: update - 1,
    state,
    curves,
    healthy: true,
  };
}

/** Loss among the states kept until an update, in words; null if there is none. */
async function lostOf(update: number): Promise<string | null> {
  const { snapshot, curves } = await readKept(await openSnapshotArchive(), RUN);
  if (snapshot.update < update) return `update ${update}; ${snapshot.update} is there`;
  if (snapshot.tensors.parameters.some((value) => value !== snapshot.update)) return 'parameters';
  return curves.every(Number.isFinite) ? null : 'curves';
}

/** Saves a run state by state; a save that fails is made again. Returns what is lost then or at the end, and the saves' requests. */
async function saveAll(): Promise<{ lost: string | null; requests: number }> {
  const archive = await openSnapshotArchive();
  let acknowledged = 0;
  for (let update = 1; update <= SAVES; update++) {
    const save = await saveAfter(update);
    try {
      await archive.put(save);
    } catch {
      failRequests(() => null);
      const lost = acknowledged === 0 ? null : await lostOf(acknowledged);
      if (lost !== null) return { lost, requests: 0 };
      await archive.put(save);
    }
    acknowledged = update;
  }
  const requests = countRequests();
  failRequests(() => null);
  return { lost: await lostOf(SAVES), requests };
}

let counted: Promise<number> | null = null;

/** Requests of an undisturbed run's saves. */
function requests(): Promise<number> {
  counted ??= (async () => {
    emptyStorage();
    const { lost, requests } = await saveAll();
    if (lost !== null) throw new Error(`Without a fault there is lost: ${lost}.`);
    return requests;
  })();
  return counted;
}

const NAMES = ['QuotaExceededError', 'UnknownError'] as const;
const everyRequest = async (): Promise<number> => NAMES.length * (await requests());

export const stateFaults: readonly Fault[] = [
  {
    name: 'page-policies-error',
    injected:
      'A request to the browser’s storage fails while a run’s policies are kept (no room, unknown error); each in turn',
    times: { short: everyRequest, long: everyRequest },
    async inject(n) {
      const count = await requests();
      emptyStorage();
      failRequests((request) => (request === n % count ? (NAMES[Math.floor(n / count) % NAMES.length] ?? null) : null));
      return (await saveAll()).lost;
    },
  },
  {
    name: 'page-policies-damaged',
    injected: 'A bit of the newest kept policies flips',
    times: times(50, 1000),
    async inject(n) {
      emptyStorage();
      const { lost } = await saveAll();
      if (lost !== null) return lost;
      const { state } = await saveAfter(SAVES);
      const bit = (n * 7919) % (8 * state.length);
      state[bit >> 3] = (state[bit >> 3] as number) ^ (1 << (bit & 7));
      await putForeign('unmask-snapshots', 'states', state, [RUN, SAVES]);
      const { snapshot, remarks } = await readKept(await openSnapshotArchive(), RUN);
      if (snapshot.update !== SAVES - 1) return `update ${snapshot.update} is read`;
      return remarks.length === 1 ? lostOf(SAVES - 1) : 'nothing is said of it';
    },
  },
];
