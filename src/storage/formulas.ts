/**
 * Formulas that the user put on their shelf, kept in this browser's IndexedDB by name. Bounded: if a new one needs room, the
 * oldest is deleted. What is read is checked like any foreign input: another version of the lab may have written it.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { LIMITS } from '../formula/limits';
import { said, soundOnes } from './archive';
import { connection } from './connection';

const KeptFormulaSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
  text: v.pipe(v.string(), v.maxLength(LIMITS.characters)),
  /** Milliseconds since 1970, when it was kept. */
  date: v.pipe(v.number(), v.finite(), v.minValue(0)),
});

export type KeptFormula = v.InferOutput<typeof KeptFormulaSchema>;

export interface FormulaArchive {
  /** Newest first. */
  list(): Promise<KeptFormula[]>;
  /** Keeps a text under a name, instead of what was kept under it. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** How many are kept. */
export const KEPT_FORMULAS = 64;

interface Schema extends DBSchema {
  formulas: { key: string; value: unknown };
}

const DATABASE = 'unmask-formulas';
const VERSION = 1;
const REFUSED = ['This browser does not keep formulas.', 'Save the text as a file.'] as const;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openFormulaArchive(): Promise<FormulaArchive> {
  const opened = connection<Schema>(DATABASE, VERSION, (created) => {
    created.createObjectStore('formulas');
  });
  const ask = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) =>
    said(
      async () => work(await opened()),
      () => REFUSED,
    );
  await ask(async () => {});
  const list = async (database: IDBPDatabase<Schema>): Promise<KeptFormula[]> =>
    soundFormulas(await database.getAll('formulas'));
  return {
    list: () => ask(list),
    put: (name, text) =>
      ask(async (database) => {
        const kept = v.parse(KeptFormulaSchema, { name, text, date: Date.now() });
        await database.put('formulas', kept, name);
        for (const { name: old } of (await list(database)).slice(KEPT_FORMULAS)) await database.delete('formulas', old);
      }),
    remove: (name) => ask((database) => database.delete('formulas', name)),
  };
}

/** Those of the stored values that are formulas, newest first. */
export function soundFormulas(stored: readonly unknown[]): KeptFormula[] {
  return soundOnes(KeptFormulaSchema, stored);
}
