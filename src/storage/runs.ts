/**
 * Runs kept in this browser's IndexedDB: descriptions in one store and curves in another, so a list is cheap to read.
 * Bounded: if a new run needs room, the oldest unstarred ones are deleted.
 */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';
import type { MachineEntry } from '../experiment/machines';
import { LabError } from '../foundation/errors';

export interface KeptRun {
  readonly id: number;
  /** Milliseconds since 1970, when it was last written. */
  readonly date: number;
  /** Experiment as it was written; to be checked before use. */
  readonly experiment: unknown;
  /** Name; at first its difference from the run before it. */
  readonly name: string;
  readonly note: string;
  readonly starred: boolean;
  readonly updates: number;
  /** Adapter or processor. */
  readonly device: string;
  readonly machines: readonly MachineEntry[];
  readonly bytes: number;
}

/** Curves of a run. `values`: [updates, arms × seeds, metrics]; NaN for what was not measured. */
export interface KeptCurves {
  readonly metrics: readonly string[];
  readonly values: Float32Array;
  /** Training time of each update, [updates]; runs kept by earlier versions have none. */
  readonly seconds?: Float32Array;
  /** Looks (store/looks.ts) as they were written; to be checked before use. */
  readonly looks?: unknown;
}

export type NewRun = Omit<KeptRun, 'id' | 'bytes'> & { readonly id: number | null };

export interface RunArchive {
  /** Newest first. */
  list(): Promise<KeptRun[]>;
  /** Curves of a run; null if there are none. */
  curves(id: number): Promise<KeptCurves | null>;
  /** Writes a run, over its earlier state if it has an id. Returns its id and the runs that were deleted for room. */
  put(run: NewRun, curves: KeptCurves): Promise<{ id: number; dropped: readonly KeptRun[] }>;
  annotate(id: number, what: Partial<Pick<KeptRun, 'name' | 'note' | 'starred'>>): Promise<void>;
  remove(id: number): Promise<void>;
}

export const ARCHIVE_LIMITS = { runs: 50, bytes: 256 * 2 ** 20 } as const;

interface Schema extends DBSchema {
  runs: { key: number; value: KeptRun };
  curves: { key: number; value: KeptCurves };
}

type Writing = IDBPTransaction<Schema, ['runs', 'curves'], 'readwrite'>;

const NAME = 'unmask';
const VERSION = 1;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openRunArchive(): Promise<RunArchive> {
  const database = await said('opened', () =>
    openDB<Schema>(NAME, VERSION, {
      upgrade(created) {
        created.createObjectStore('runs', { keyPath: 'id', autoIncrement: true });
        created.createObjectStore('curves');
      },
    }),
  );
  return {
    list: () => said('read', async () => (await database.getAll('runs')).sort((a, b) => b.date - a.date)),
    curves: (id) => said('read', async () => (await database.get('curves', id)) ?? null),
    put: (run, curves) => said('written', () => write(database, run, curves)),
    annotate: (id, what) => said('written', () => annotate(database, id, what)),
    remove: (id) =>
      said('written', async () => {
        const writing = database.transaction(['runs', 'curves'], 'readwrite');
        await erase(writing, id);
        await writing.done;
      }),
  };
}

async function write(database: IDBPDatabase<Schema>, run: NewRun, curves: KeptCurves) {
  const writing = database.transaction(['runs', 'curves'], 'readwrite');
  const { id: known, ...rest } = run;
  const earlier = known === null ? undefined : await writing.objectStore('runs').get(known);
  const { note, starred } = earlier ?? rest;
  const entry = { ...rest, note, starred, bytes: curves.values.byteLength };
  // Without an id the store gives one.
  const id = await writing.objectStore('runs').put((known === null ? entry : { ...entry, id: known }) as KeptRun);
  await writing.objectStore('curves').put(curves, id);
  const dropped = surplus(await writing.objectStore('runs').getAll(), id);
  for (const { id: old } of dropped) await erase(writing, old);
  await writing.done;
  return { id, dropped };
}

async function erase(writing: Writing, id: number): Promise<void> {
  await writing.objectStore('runs').delete(id);
  await writing.objectStore('curves').delete(id);
}

async function annotate(database: IDBPDatabase<Schema>, id: number, what: object): Promise<void> {
  const writing = database.transaction('runs', 'readwrite');
  const run = await writing.store.get(id);
  if (run !== undefined) await writing.store.put({ ...run, ...what });
  await writing.done;
}

/** Runs to delete so that the others fit: the oldest unstarred ones, never the one just written. */
export function surplus(
  runs: readonly KeptRun[],
  written: number,
  limits = ARCHIVE_LIMITS as { runs: number; bytes: number },
) {
  const candidates = runs.filter(({ id, starred }) => id !== written && !starred).sort((a, b) => a.date - b.date);
  let bytes = runs.reduce((sum, run) => sum + run.bytes, 0);
  let count = runs.length;
  return candidates.filter((run) => {
    if (count <= limits.runs && bytes <= limits.bytes) return false;
    count -= 1;
    bytes -= run.bytes;
    return true;
  });
}

/** Result of the work. Throws LabError 'storage', with advice, if it fails. `done`: participle for the message. */
async function said<T>(done: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const full = cause instanceof DOMException && cause.name === 'QuotaExceededError';
    throw new LabError(
      'storage',
      full ? 'This browser has no room left for the run.' : `This browser’s storage could not be ${done}.`,
      full
        ? 'Delete runs that you do not need, or save this one as a file.'
        : 'Curves stay on screen until the page is closed; save what you need as a file.',
      { cause },
    );
  }
}
