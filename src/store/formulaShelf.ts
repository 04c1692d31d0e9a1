/** The user's own formulas: kept in this browser, saved as .loss files and read from them. A file is plain text. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { LIMITS } from '../formula/limits';
import { asLabError, LabError } from '../foundation/errors';
import type { FormulaArchive, KeptFormula } from '../storage/formulas';

export interface FormulaShelfState {
  /** Newest first. */
  readonly kept: readonly KeptFormula[];
  /** Failure, with advice; null if there was none. */
  readonly problem: string | null;
}

export class FormulaShelf {
  readonly store: StoreApi<FormulaShelfState> = createStore<FormulaShelfState>(() => ({ kept: [], problem: null }));
  readonly #open: () => Promise<FormulaArchive>;
  #archive: Promise<FormulaArchive> | null = null;

  constructor(open: () => Promise<FormulaArchive>) {
    this.#open = open;
  }

  /** Reads what is kept. */
  refresh = (): Promise<void> => this.#with(async () => {});

  keep(name: string, text: string): Promise<void> {
    return this.#with((archive) => archive.put(name, text));
  }

  remove(name: string): Promise<void> {
    return this.#with((archive) => archive.remove(name));
  }

  /** Name and text of a file; null, with the problem told, where it holds no text of a formula's size. */
  async read(file: File): Promise<{ readonly name: string; readonly text: string } | null> {
    try {
      const read = { name: nameOfFile(file.name), text: await textOf(file) };
      this.store.setState({ problem: null });
      return read;
    } catch (cause) {
      this.store.setState({ problem: asLabError(cause).message });
      return null;
    }
  }

  async #with(work: (archive: FormulaArchive) => Promise<void>): Promise<void> {
    try {
      this.#archive ??= this.#open();
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

async function textOf(file: File): Promise<string> {
  const refuse = (what: string): never => {
    throw new LabError('invalid-formula', what, 'Choose a .loss file: the text of a formula, and nothing else.');
  };
  if (file.size > BYTES * LIMITS.characters) refuse(`${file.name} is too large for a formula.`);
  const text = (await decoded(file)) ?? refuse(`${file.name} is no text.`);
  const lines = text.replaceAll('\r\n', '\n').trimEnd();
  if (UNPRINTABLE.test(lines)) refuse(`${file.name} is no text.`);
  if (lines.length > LIMITS.characters) refuse(`${file.name} has more than ${LIMITS.characters} characters.`);
  return lines;
}

/** null where the bytes are no UTF-8. */
async function decoded(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    // Told as a problem with the file's name.
    return null;
  }
}

/** A loss's name from that of a file: `My loss (2).loss` is `my-loss-2`. */
function nameOfFile(file: string): string {
  const stem = file.replace(/\.[^.]*$/, '').toLowerCase();
  const name = stem.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return name.slice(0, 32) || 'from-file';
}
