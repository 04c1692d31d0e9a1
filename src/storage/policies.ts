/**
 * Policy files that the user opened, kept in this browser's IndexedDB by SHA-256, so an experiment that names one finds
 * it after a reload. Bounded: if a new file needs room, the oldest ones are deleted. What is read is checked like any foreign input.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { LAST_DATE, said, soundOnes } from './archive';
import { connection } from './connection';

export const POLICY_ARCHIVE_LIMITS = { files: 32, bytes: 64 * 2 ** 20 } as const;

const KeptPolicySchema = v.object({
  /** SHA-256 that experiments name it by, lower-case hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  name: v.pipe(v.string(), v.maxLength(1000)),
  /** Bytes of a file; no larger one is kept. */
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(POLICY_ARCHIVE_LIMITS.bytes)),
  /** Milliseconds since 1970, when it was kept. */
  date: v.pipe(v.number(), v.minValue(0), v.maxValue(LAST_DATE)),
});

export type KeptPolicy = v.InferOutput<typeof KeptPolicySchema>;

export interface PolicyArchive {
  /** Lists the files, the newest first. */
  list(): Promise<KeptPolicy[]>;
  /** File of a hash; null if it is not kept. */
  get(sha256: string): Promise<File | null>;
  /** Keeps a file, unless it alone is larger than the whole limit. */
  put(sha256: string, file: File): Promise<void>;
  remove(sha256: string): Promise<void>;
}

interface Schema extends DBSchema {
  policies: { key: string; value: unknown };
  files: { key: string; value: unknown };
}

const NAME = 'unmask-policies';
const VERSION = 1;
const REFUSED = [
  'This browser does not keep policies’ files.',
  'Keep the file where it is, and open it again after a reload.',
] as const;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openPolicyArchive(): Promise<PolicyArchive> {
  const opened = connection<Schema>(NAME, VERSION, (created) => {
    created.createObjectStore('policies', { keyPath: 'sha256' });
    created.createObjectStore('files');
  });
  const ask = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) =>
    said(
      async () => work(await opened()),
      () => REFUSED,
    );
  await ask(async () => {});
  return {
    list: () => ask(async (database) => soundPolicies(await database.getAll('policies'))),
    get: (sha256) =>
      ask(async (database) => {
        const [kept, file] = await Promise.all([database.get('policies', sha256), database.get('files', sha256)]);
        const [policy] = soundPolicies([kept]);
        return policy === undefined || !(file instanceof Blob) ? null : new File([file], policy.name);
      }),
    put: (sha256, file) =>
      ask(async (database) => {
        if (file.size > POLICY_ARCHIVE_LIMITS.bytes) return;
        // A copy of the bytes: a File from a folder would be lost when the folder changes.
        const blob = new Blob([await file.arrayBuffer()]);
        const writing = database.transaction(['policies', 'files'], 'readwrite');
        await writing.objectStore('policies').put({ sha256, name: file.name, bytes: file.size, date: Date.now() });
        await writing.objectStore('files').put(blob, sha256);
        await writing.done;
        await erase(database, surplusPolicies(soundPolicies(await database.getAll('policies')), sha256));
      }),
    remove: (sha256) => ask((database) => erase(database, [sha256])),
  };
}

async function erase(database: IDBPDatabase<Schema>, hashes: readonly string[]): Promise<void> {
  const writing = database.transaction(['policies', 'files'], 'readwrite');
  for (const hash of hashes) {
    await writing.objectStore('policies').delete(hash);
    await writing.objectStore('files').delete(hash);
  }
  await writing.done;
}

/** Stored values that are policies, newest first. */
function soundPolicies(stored: readonly unknown[]): KeptPolicy[] {
  return soundOnes(KeptPolicySchema, stored);
}

/**
 * Hashes of files that do not fit. The one just put stays, even if the clock was set back; then the newest, as many as
 * there is room for.
 */
export function surplusPolicies(kept: readonly KeptPolicy[], put: string): string[] {
  let bytes = 0;
  return kept
    .toSorted((a, b) => Number(b.sha256 === put) - Number(a.sha256 === put) || b.date - a.date)
    .filter((policy, place) => {
      bytes += policy.bytes;
      return place >= POLICY_ARCHIVE_LIMITS.files || bytes > POLICY_ARCHIVE_LIMITS.bytes;
    })
    .map(({ sha256 }) => sha256);
}
