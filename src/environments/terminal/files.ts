/**
 * File systems in typed arrays, one a slot: `home` and directories one deep under it, each with a place for every file name,
 * and `/answer`, which is the same file from everywhere. A file is up to 8 lines of up to 8 words.
 */
import { DIRECTORIES, FILES } from './terminalWords';

const LINES = 8;
const LINE_WORDS = 8;
/** Largest number of lines that a command can print: all files of a directory. */
export const LINE_LIMIT = LINES * FILES.length;
/** Node of `/answer`, after those of each (directory, file name). */
export const ANSWER_NODE = DIRECTORIES.length * FILES.length;
const NODES = ANSWER_NODE + 1;
const ABSENT = 255;

/** Lines of words that a command reads or prints. They are reused: commands allocate nothing. */
export class Lines {
  readonly capacity: number;
  readonly lengths: Uint8Array;
  readonly words: Uint8Array;
  count = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.lengths = new Uint8Array(capacity);
    this.words = new Uint8Array(capacity * LINE_WORDS);
  }

  clear(): void {
    this.count = 0;
  }

  /** Begins a line; lines beyond the capacity are dropped. */
  begin(): void {
    if (this.count < this.capacity) this.lengths[this.count] = 0;
    this.count = Math.min(this.capacity, this.count + 1);
  }

  /** Adds a word to the last line. */
  add(word: number): void {
    const line = this.count - 1;
    const length = this.lengths[line];
    if (length >= LINE_WORDS) return;
    this.words[line * LINE_WORDS + length] = word;
    this.lengths[line] = length + 1;
  }

  word(line: number, at: number): number {
    return this.words[line * LINE_WORDS + at];
  }

  has(line: number, word: number): boolean {
    for (let at = 0; at < this.lengths[line]; at++) if (this.word(line, at) === word) return true;
    return false;
  }

  addLine(from: Lines, line: number): void {
    for (let at = 0; at < from.lengths[line]; at++) this.add(from.word(line, at));
  }
}

export class FileSystem {
  /** Number of lines of each node; ABSENT where there is no file. */
  readonly #count: Uint8Array;
  readonly #lengths: Uint8Array;
  readonly #words: Uint8Array;

  constructor(slots: number) {
    this.#count = new Uint8Array(slots * NODES).fill(ABSENT);
    this.#lengths = new Uint8Array(slots * NODES * LINES);
    this.#words = new Uint8Array(slots * NODES * LINES * LINE_WORDS);
  }

  clear(slot: number): void {
    this.#count.fill(ABSENT, slot * NODES, (slot + 1) * NODES);
  }

  exists(slot: number, node: number): boolean {
    return this.#count[slot * NODES + node] !== ABSENT;
  }

  remove(slot: number, node: number): void {
    this.#count[slot * NODES + node] = ABSENT;
  }

  /** Writes lines as a file's whole content, as many as fit. */
  write(slot: number, node: number, { count, lengths, words }: Lines): void {
    const at = slot * NODES + node;
    const kept = Math.min(LINES, count);
    this.#count[at] = kept;
    this.#lengths.set(lengths.subarray(0, kept), at * LINES);
    this.#words.set(words.subarray(0, kept * LINE_WORDS), at * LINES * LINE_WORDS);
  }

  /** Reads a file that exists. */
  read(slot: number, node: number, into: Lines): void {
    const at = slot * NODES + node;
    const count = this.#count[at];
    into.count = count;
    into.lengths.set(this.#lengths.subarray(at * LINES, at * LINES + count));
    into.words.set(this.#words.subarray(at * LINES * LINE_WORDS, (at * LINES + count) * LINE_WORDS));
  }
}

export function nodeOf(directory: number, file: number): number {
  return directory * FILES.length + file;
}
