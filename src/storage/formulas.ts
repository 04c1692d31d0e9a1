/**
 * Formulas that the user put on their shelf, kept in this browser's IndexedDB by name. Bounded: if a new one needs room, the
 * oldest is deleted. What is read is checked like any foreign input: another version of the lab may have written it.
 */
import { type DBSchema, openDB } from 'idb';
import * as v from 'valibot';
import { LIMITS } from '../formula/limits';
import { LabError } from '../foundation/errors';

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

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openFormulaArchive(): Promise<FormulaArchive> {
  const database = await said(() =>
    openDB<Schema>(DATABASE, VERSION, {
      upgrade(created) {
        created.createObjectStore('formulas');
      },
    }),
  );
  const list = async (): Promise<KeptFormula[]> => soundFormulas(await database.getAll('formulas'));
  return {
    list: () => said(list),
    put: (name, text) =>
      said(async () => {
        const kept = v.parse(KeptFormulaSchema, { name, text, date: Date.now() });
        await database.put('formulas', kept, name);
        for (const { name: old } of (await list()).slice(KEPT_FORMULAS)) await database.delete('formulas', old);
      }),
    remove: (name) => said(() => database.delete('formulas', name)),
  };
}

/** Those of the stored values that are formulas, newest first. */
export function soundFormulas(stored: readonly unknown[]): KeptFormula[] {
  return stored
    .flatMap((one) => {
      const read = v.safeParse(KeptFormulaSchema, one);
      return read.success ? [read.output] : [];
    })
    .sort((a, b) => b.date - a.date);
}

/** Result of the work. Throws LabError 'storage', with advice, if it fails. */
async function said<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new LabError('storage', 'This browser does not keep formulas.', 'Save the text as a file.', { cause });
  }
}
