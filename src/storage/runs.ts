/**
 * Runs kept in this browser's IndexedDB: descriptions in one store and curves in another, so a list is cheap to read.
 * Bounded: if a new run needs room, others are deleted (room.ts). A record that cannot be read is set aside: it is in no list,
 * and stays until the person deletes it.
 */
import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb';
import { said, type Words, wholly } from './archive';
import { connection } from './connection';
import { surplus } from './room';
import { type KeptCurves, type KeptRun, readKeptCurves, readKeptRun, trainingTime } from './runRecord';

export type { KeptCurves, KeptRun };

/** A person's words on a run. */
export type Annotation = Pick<KeptRun, 'name' | 'note' | 'starred' | 'tags' | 'deleted'>;

export type NewRun = Omit<KeptRun, 'id' | 'bytes' | 'seconds'> & { readonly id: number | null };

/** Outcome of writing a run. */
export interface WrittenRun {
  /** Id of the run; null if it has been deleted meanwhile, and stays so. */
  readonly id: number | null;
  /** Runs that were deleted for room. */
  readonly dropped: readonly KeptRun[];
}

export interface RunArchive {
  /** Lists the runs, the newest first. */
  list(): Promise<KeptRun[]>;
  /** Curves of a run; null if there are none, or none that can be read. */
  curves(id: number): Promise<KeptCurves | null>;
  /**
   * Writes a run, over its earlier state if it has an id; a person's notes on it stay. Runs of `spared` are not deleted
   * for room.
   */
  put(run: NewRun, curves: KeptCurves, spared?: ReadonlySet<number>): Promise<WrittenRun>;
  annotate(id: number, what: Partial<Annotation>): Promise<void>;
  remove(id: number): Promise<void>;
  /** Number of records that cannot be read. */
  damaged(): Promise<number>;
  removeDamaged(): Promise<void>;
}

interface Schema extends DBSchema {
  runs: { key: number; value: unknown };
  curves: { key: number; value: unknown };
}

type Writing = IDBPTransaction<Schema, ['runs', 'curves'], 'readwrite'>;

const NAME = 'unmask';
const VERSION = 1;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openRunArchive(): Promise<RunArchive> {
  const opened = connection<Schema>(NAME, VERSION, (created) => {
    created.createObjectStore('runs', { keyPath: 'id', autoIncrement: true });
    created.createObjectStore('curves');
  });
  await said(opened, wordsFor('opened'));
  const read = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) =>
    said(async () => work(await opened()), wordsFor('read'));
  const write = <T>(work: (writing: Writing) => Promise<T>) =>
    said(async () => wholly((await opened()).transaction(['runs', 'curves'], 'readwrite'), work), wordsFor('written'));
  return {
    list: () => read(async (database) => sound(await database.getAll('runs')).sort((a, b) => b.date - a.date)),
    curves: (id) => read(async (database) => readKeptCurves(await database.get('curves', id))),
    put: (run, curves, spared) => write((writing) => put(writing, run, curves, spared)),
    annotate: (id, what) =>
      write(async (writing) => {
        const run = await writing.objectStore('runs').get(id);
        if (readKeptRun(run) !== null) await writing.objectStore('runs').put({ ...(run as KeptRun), ...what });
      }),
    remove: (id) => write((writing) => erase(writing, id)),
    damaged: () => read(async (database) => (await damagedKeys(database.transaction('runs').store)).length),
    removeDamaged: () =>
      write(async (writing) => {
        for (const key of await damagedKeys(writing.objectStore('runs'))) await erase(writing, key);
      }),
  };
}

const sound = (records: readonly unknown[]): KeptRun[] =>
  records.map(readKeptRun).filter((run): run is KeptRun => run !== null);

/** Keys of the records that cannot be read, of any type. */
async function damagedKeys(store: {
  getAll(): Promise<unknown[]>;
  getAllKeys(): Promise<number[]>;
}): Promise<number[]> {
  const [records, keys] = await Promise.all([store.getAll(), store.getAllKeys()]);
  return keys.filter((_, i) => readKeptRun(records[i]) === null);
}

async function put(
  writing: Writing,
  run: NewRun,
  curves: KeptCurves,
  spared?: ReadonlySet<number>,
): Promise<WrittenRun> {
  const runs = writing.objectStore('runs');
  const { id: known, ...rest } = run;
  const record = known === null ? null : await runs.get(known);
  if (record === undefined) return { id: null, dropped: [] };
  const { name, note, starred, tags, deleted } = readKeptRun(record) ?? rest;
  const entry = {
    ...rest,
    name,
    note,
    starred,
    tags,
    deleted,
    bytes: curves.values.byteLength,
    seconds: trainingTime(curves),
  };
  // Without an id the store gives one.
  const id = await runs.put(known === null ? entry : { ...entry, id: known });
  await writing.objectStore('curves').put(curves, id);
  const dropped = surplus(sound(await runs.getAll()), new Set(spared).add(id));
  for (const { id: old } of dropped) await erase(writing, old);
  return { id, dropped };
}

async function erase(writing: Writing, id: number): Promise<void> {
  await writing.objectStore('runs').delete(id);
  await writing.objectStore('curves').delete(id);
}

const WORDS: Readonly<Record<string, Words>> = {
  QuotaExceededError: [
    'This browser has no room left for the run.',
    'Delete runs that you do not need, or save this one as a file.',
  ],
  SecurityError: [
    'The page may keep nothing here: this browser forbids it, or the frame that it is in does.',
    'Allow this address to keep data, or open the lab in a page of its own; until then save what you need as a file.',
  ],
  VersionError: [
    'The runs in this browser are kept by a newer version of the lab.',
    'Reload the page to get it once nothing trains; save what you need of this run as a file.',
  ],
};

/** `done`: participle for the sentence. */
const wordsFor =
  (done: string) =>
  (name: string): Words =>
    WORDS[name] ?? [
      `This browser’s storage could not be ${done}.`,
      'Curves stay on screen until the page is closed; save what you need as a file.',
    ];
