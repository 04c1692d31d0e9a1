/**
 * Texts that the user put on a shelf, formulas or worlds, kept in this browser's IndexedDB by name. At most so
 * many: one more is refused, since somebody wrote each of them. What is read is checked like any foreign input: another version
 * of the lab may have written it.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import * as v from 'valibot';
import { LabError } from '../foundation/errors';
import { said, soundOnes, wholly } from './archive';
import { connection } from './connection';

/** One shelf: the word for its texts, in the plural, which names its database too, and its longest text. */
export interface SavedTextKind {
  readonly plural: 'formulas' | 'worlds';
  readonly characters: number;
}

const keptText = (characters: number) =>
  v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,32}$/)),
    text: v.pipe(v.string(), v.maxLength(characters)),
    /** Milliseconds since 1970, when it was kept. */
    date: v.pipe(v.number(), v.finite(), v.minValue(0)),
  });

export type KeptText = v.InferOutput<ReturnType<typeof keptText>>;

export interface TextArchive {
  /** Lists the texts, the newest first. */
  list(): Promise<KeptText[]>;
  /** Keeps a text under a name, instead of the former one. Throws LabError if it would be one too many. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Number of texts kept of a kind. */
const MOST_KEPT = 64;

interface Schema extends DBSchema {
  formulas: { key: string; value: unknown };
  worlds: { key: string; value: unknown };
}

const VERSION = 1;

/** Archive of this browser. Throws LabError 'storage' if it keeps nothing: private windows, forbidden or full storage. */
export async function openTextArchive(kind: SavedTextKind): Promise<TextArchive> {
  const { plural, characters } = kind;
  const opened = connection<Schema>(`unmask-${plural}`, VERSION, (created) => {
    created.createObjectStore(plural);
  });
  const refused = [`This browser does not keep ${plural}.`, 'Save the text as a file.'] as const;
  const ask = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>) =>
    said(
      async () => work(await opened()),
      () => refused,
    );
  await ask(async () => {});
  const list = async (database: IDBPDatabase<Schema>): Promise<KeptText[]> =>
    soundTexts(await database.getAll(plural), kind);
  return {
    list: () => ask(list),
    put: (name, text) =>
      ask(async (database) => {
        const kept = v.parse(keptText(characters), { name, text, date: Date.now() });
        await wholly(database.transaction(plural, 'readwrite'), async ({ store }) => {
          const texts = soundTexts(await store.getAll(), kind);
          if (texts.length >= MOST_KEPT && texts.every((one) => one.name !== name)) throw full(kind);
          await store.put(kept, name);
        });
      }),
    remove: (name) => ask((database) => database.delete(plural, name)),
  };
}

const full = ({ plural }: SavedTextKind): LabError =>
  new LabError(
    'storage',
    `This browser keeps ${MOST_KEPT} ${plural} already, as many as it may.`,
    'Remove one first, or save it as a file.',
  );

/** Stored values that are texts of this kind, newest first. */
export function soundTexts(stored: readonly unknown[], { characters }: SavedTextKind): KeptText[] {
  return soundOnes(keptText(characters), stored);
}
