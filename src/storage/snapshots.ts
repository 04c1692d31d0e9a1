/**
 * States of runs, kept in this browser's IndexedDB while they train, so that a run goes on after a reload, a crash or a
 * killed browser. Of each run: the newest state and the one before it, and its curves in pieces, one for each save, so that a save
 * writes no more than what is new. A save is one transaction: it is there as a whole or not at all. Bounded: if a state needs
 * room, the runs that trained for the shortest time lose theirs first; starred runs keep theirs.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { mebibytes } from '../foundation/bytes';
import { LabError } from '../foundation/errors';
import { LAST_DATE, said, soundOnes, type Words, wholly } from './archive';
import { connection } from './connection';
import { MOST_SECONDS, RUN_ID, RUN_LOCK } from './runRecord';

/** Bytes of all states and curves. */
export const SNAPSHOT_LIMIT = 512 * 2 ** 20;
/** States of a run: the newest, the one before it, and a healthy one where neither is. */
const MOST_STATES = 3;

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Bytes of an entry, bounded: one of 1e300 bytes, summed up with the others, made all of them go for room. */
const Bytes = v.pipe(Count, v.maxValue(SNAPSHOT_LIMIT));

const EntrySchema = v.pipe(
  v.strictObject({
    /** Id of the run, drawn when it begins. */
    run: v.pipe(v.string(), v.regex(RUN_ID)),
    /** Milliseconds since 1970, when it was last saved. */
    date: v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_DATE)),
    /** Updates that the run is to have. */
    updates: Count,
    /** Seconds of training so far. */
    seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_SECONDS)),
    /** States by number of updates finished, oldest first. `healthy`: no policy had diverged. */
    states: v.pipe(
      v.array(v.strictObject({ update: Count, bytes: Bytes, healthy: v.boolean() })),
      v.minLength(1),
      v.maxLength(MOST_STATES),
    ),
    /** Bytes of all pieces of the run's curves. */
    curveBytes: Bytes,
    /** True if the person starred the run: its states are never deleted for room. */
    starred: v.boolean(),
  }),
  v.check((entry) => bytesOf(entry) <= SNAPSHOT_LIMIT),
);

/** Entry of a run: the states and curves that are kept of it. */
export type KeptStates = v.InferOutput<typeof EntrySchema>;

/** A state to keep. */
export interface Save extends Pick<KeptStates, 'run' | 'updates' | 'seconds'> {
  /** Updates finished. */
  readonly update: number;
  readonly state: Uint8Array<ArrayBuffer>;
  /** True if no policy has diverged. */
  readonly healthy: boolean;
  /** First update of the curves' new piece, which ends before `update`; pieces kept from there on are replaced. */
  readonly from: number;
  /** The piece; null if the state has no update more than the one before. */
  readonly curves: Uint8Array<ArrayBuffer> | null;
}

export interface SnapshotArchive {
  /** Lists the kept states, the newest first. */
  list(): Promise<KeptStates[]>;
  /** A state of a run; null if it is not kept. */
  state(run: string, update: number): Promise<Uint8Array | null>;
  /** Pieces of a run's curves that hold updates after the first `from`, in order of update. */
  curves(run: string, from?: number): Promise<Uint8Array[]>;
  /** Keeps a state. Returns the ids of runs whose states were deleted for room. */
  put(save: Save): Promise<readonly string[]>;
  remove(run: string): Promise<void>;
  /** Notes that a run is starred, or no longer; does nothing if it is not kept. */
  star(run: string, starred: boolean): Promise<void>;
}

interface Schema extends DBSchema {
  runs: { key: string; value: unknown };
  states: { key: [run: string, update: number]; value: unknown };
  curves: { key: [run: string, from: number]; value: unknown };
}

const DATABASE = 'unmask-snapshots';
const VERSION = 1;
const STORES = ['runs', 'states', 'curves'] as const;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openSnapshotArchive(): Promise<SnapshotArchive> {
  const opened = connection<Schema>(DATABASE, VERSION, (created) => {
    for (const name of STORES) created.createObjectStore(name);
  });
  const ask = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) =>
    said(async () => work(await opened()), wordsOf);
  const write = <T>(work: (writing: Writing) => Promise<T>) => ask((database) => wholly(begin(database), work));
  await ask(async () => {});
  return {
    list: () => ask(async (database) => soundStates(await database.getAll('runs'))),
    state: (run, update) => ask(async (database) => bytesOrNull(await database.get('states', [run, update]))),
    curves: (run, from = 0) =>
      ask(async (database) => {
        const begins = (await database.getAllKeys('curves', since(run, 0))).map(([, begin]) => begin);
        const first = begins.findLast((begin) => begin <= from) ?? 0;
        return (await database.getAll('curves', since(run, first))).flatMap((one) => bytesOrNull(one) ?? []);
      }),
    put: async (save) => {
      const training = await trainingRuns();
      return write((writing) => put(writing, save, training));
    },
    remove: (run) => write((writing) => erase(writing, run)),
    star: (run, starred) =>
      write(async (writing) => {
        const [entry] = soundStates([await writing.objectStore('runs').get(run)]);
        if (entry !== undefined) await writing.objectStore('runs').put({ ...entry, starred }, run);
      }),
  };
}

/** Bytes that were kept; null for anything else, and for more than is kept of all runs. */
function bytesOrNull(value: unknown): Uint8Array | null {
  return value instanceof Uint8Array && value.byteLength <= SNAPSHOT_LIMIT ? value : null;
}

type Writing = ReturnType<typeof begin>;

/** Keys of a run from an update on. */
function since(run: string, update: number): IDBKeyRange {
  return IDBKeyRange.bound([run, update], [run, Number.MAX_SAFE_INTEGER]);
}

/** Strict durability: an acknowledged write is on the disk, not in a buffer of the system. */
function begin(database: IDBPDatabase<Schema>) {
  return database.transaction(STORES, 'readwrite', { durability: 'strict' });
}

/** Ids of runs that train in any tab. */
async function trainingRuns(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await globalThis.navigator?.locks?.query().catch(() => ({ held: [] }))) ?? {};
  return new Set(held.map(({ name = '' }) => name.replace(RUN_LOCK, '')));
}

/** training: runs whose states are never deleted for room. */
async function put(writing: Writing, save: Save, training: ReadonlySet<string>): Promise<readonly string[]> {
  const { run, update, state, from, curves } = save;
  const [states, pieces] = [writing.objectStore('states'), writing.objectStore('curves')];
  const all = soundStates(await writing.objectStore('runs').getAll());
  const earlier = all.find((one) => one.run === run);
  const replaced = since(run, from);
  const gone = (await pieces.getAll(replaced)).reduce<number>(
    (sum, piece) => sum + (bytesOrNull(piece)?.byteLength ?? 0),
    0,
  );
  // An entry that another program wrote may name fewer bytes than there are.
  const staying = Math.max(0, (earlier?.curveBytes ?? 0) - gone);
  const entry = stateAfter(earlier, save, staying + (curves?.byteLength ?? 0));
  await pieces.delete(replaced);
  if (curves !== null) await pieces.put(curves, [run, from]);
  for (const [, old] of await states.getAllKeys(since(run, 0))) {
    if (entry.states.every((kept) => kept.update !== old)) await states.delete([run, old]);
  }
  await states.put(state, [run, update]);
  await writing.objectStore('runs').put(entry, run);
  const dropped = surplusStates([...all.filter((one) => one.run !== run), entry], new Set(training).add(run));
  for (const old of dropped) await erase(writing, old);
  return dropped;
}

async function erase(writing: Writing, run: string): Promise<void> {
  await writing.objectStore('runs').delete(run);
  await writing.objectStore('states').delete(since(run, 0));
  await writing.objectStore('curves').delete(since(run, 0));
}

/** Stored values that can be read, newest first. */
export function soundStates(stored: readonly unknown[]): KeptStates[] {
  return soundOnes(EntrySchema, stored);
}

/**
 * Entry of a run after a save: the new state and the newest before it whose curves stay; where neither is healthy, the newest
 * healthy one too. States from after `from` are of updates that are computed again. Throws LabError 'storage' if that is more
 * than may be kept of all runs.
 */
export function stateAfter(earlier: KeptStates | undefined, save: Save, curveBytes: number): KeptStates {
  const { run, update, updates, seconds, from, state, healthy } = save;
  const before = earlier?.states.filter((one) => one.update <= from && one.update !== update) ?? [];
  const newest = before.slice(-1);
  const isHealthy = healthy || newest.some((one) => one.healthy);
  const wayBack = isHealthy ? [] : before.filter((one) => one.healthy).slice(-1);
  const states = [...wayBack, ...newest, { update, bytes: state.byteLength, healthy }];
  const { starred = false } = earlier ?? {};
  const entry = { run, date: Date.now(), updates, seconds, states, curveBytes, starred };
  if (bytesOf(entry) <= SNAPSHOT_LIMIT) return entry;
  const [taken, limit] = [bytesOf(entry), SNAPSHOT_LIMIT].map(mebibytes);
  const what = `The policies and curves of this run take ${taken}, and the lab keeps ${limit} in a browser.`;
  throw new LabError('storage', what, 'Save the policies that you need as files.');
}

interface Sizes {
  readonly states: readonly { readonly bytes: number }[];
  readonly curveBytes: number;
}

function bytesOf({ states, curveBytes }: Sizes): number {
  return states.reduce((sum, { bytes }) => sum + bytes, curveBytes);
}

/** Ids of runs that have to go so that the others fit: the quickest to train again, never those of `spared` or starred ones. */
export function surplusStates(
  kept: readonly KeptStates[],
  spared: ReadonlySet<string>,
  limit = SNAPSHOT_LIMIT,
): string[] {
  let bytes = kept.reduce((sum, one) => sum + bytesOf(one), 0);
  const candidates = kept
    .filter(({ run, starred }) => !spared.has(run) && !starred)
    .sort((a, b) => a.seconds - b.seconds || a.date - b.date);
  return candidates.flatMap((one) => {
    if (bytes <= limit) return [];
    bytes -= bytesOf(one);
    return [one.run];
  });
}

const wordsOf = (name: string): Words =>
  name === 'QuotaExceededError'
    ? [
        'This browser has no room left for the policies.',
        'Delete runs that you do not need, or save policies as files.',
      ]
    : ['This browser does not keep the policies.', 'Save the policies that you need as files.'];
