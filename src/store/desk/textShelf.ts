/** The user's own formulas, or worlds: kept in this browser, saved as files and read from them. A file is plain text. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { LONGEST_WORLD } from '../../environments/own/own';
import { FORMULA_LIMITS } from '../../formula/limits';
import { asLabError, excerpt, LabError } from '../../foundation/errors';
import type { KeptText, SavedTextKind, TextArchive } from '../../storage/texts';

/** A shelf, with the words for its texts. */
export interface ShelfKind extends SavedTextKind {
  readonly singular: 'formula' | 'world';
  /** Endings of its files, the usual one first. */
  readonly endings: readonly string[];
}

export const FORMULAS: ShelfKind = {
  plural: 'formulas',
  singular: 'formula',
  characters: FORMULA_LIMITS.characters,
  endings: ['.loss', '.txt'],
};

export const WORLDS: ShelfKind = {
  plural: 'worlds',
  singular: 'world',
  characters: LONGEST_WORLD,
  endings: ['.js', '.mjs', '.txt', '.jsonl'],
};

export interface TextShelfState {
  /** Texts on the shelf, the newest first. */
  readonly kept: readonly KeptText[];
  /** Failure, with advice; null if there was none. */
  readonly problem: string | null;
}

export class TextShelf {
  readonly store: StoreApi<TextShelfState> = createStore<TextShelfState>(() => ({ kept: [], problem: null }));
  readonly kind: ShelfKind;
  readonly #open: (kind: SavedTextKind) => Promise<TextArchive>;
  #archive: Promise<TextArchive> | null = null;

  constructor(kind: ShelfKind, open: (kind: SavedTextKind) => Promise<TextArchive>) {
    this.kind = kind;
    this.#open = open;
  }

  /** Reads the kept texts. */
  refresh = (): Promise<void> => this.#with(async () => {});

  keep(name: string, text: string): Promise<void> {
    return this.#with((archive) => archive.put(name, text));
  }

  remove(name: string): Promise<void> {
    return this.#with((archive) => archive.remove(name));
  }

  /** Name and text of a file; null, with the problem told, where it holds no text of their size. */
  async read(file: File): Promise<{ readonly name: string; readonly text: string } | null> {
    try {
      const read = { name: nameOfFile(file.name), text: await textOf(file, this.kind) };
      this.store.setState({ problem: null });
      return read;
    } catch (cause) {
      this.store.setState({ problem: asLabError(cause).message });
      return null;
    }
  }

  async #with(work: (archive: TextArchive) => Promise<void>): Promise<void> {
    try {
      this.#archive ??= this.#open(this.kind);
      const archive = await this.#archive;
      await work(archive);
      this.store.setState({ kept: await archive.list(), problem: null });
    } catch (cause) {
      this.store.setState({ problem: asLabError(cause).message });
    }
  }
}

/** Bytes that a character of UTF-8 has at most. */
const BYTES = 4;
/** A control character other than tab and line end, or half of a character. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cs}]/u;

async function textOf(file: File, { singular, endings: [ending = ''], characters }: ShelfKind): Promise<string> {
  const refuse = (what: string): never => {
    const advice = `Choose a ${ending} file: the text of a ${singular}, and nothing else.`;
    throw new LabError(`invalid-${singular}`, what, advice);
  };
  if (file.size > BYTES * characters) refuse(`${excerpt(file.name)} is too large for a ${singular}.`);
  const text = (await decode(file)) ?? refuse(`${excerpt(file.name)} is no text.`);
  const lines = text.replaceAll('\r\n', '\n').trimEnd();
  if (UNPRINTABLE.test(lines)) refuse(`${excerpt(file.name)} is no text.`);
  // Prompts with a checker are a world once they have become one.
  if (singular === 'world' && file.name.endsWith('.jsonl')) {
    const { worldOfPrompts } = await import('../../environments/own/text/prompts');
    return worldOfPrompts(lines, file.name);
  }
  if (lines.length > characters) refuse(`${excerpt(file.name)} has more than ${characters} characters.`);
  return lines;
}

/** Text of a file; null where the bytes are no UTF-8. */
async function decode(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    // The caller tells a problem with the file's name.
    return null;
  }
}

/** A name on the shelf from that of a file, or from a title: `My loss (2).loss` is `my-loss-2`. */
function nameOfFile(file: string): string {
  return shelfName(file.replace(/\.[^.]*$/, '')) || 'from-file';
}

/** Name made of words; empty where nothing of them can be in a name. */
export function shelfName(words: string): string {
  const name = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 32).replace(/-$/, '');
}
