/**
 * The shell: runs a well-formed command line on a slot's files. Commands are simple versions of the usual ones: `wc` counts
 * lines, `grep WORD` keeps the lines that have the word, and `*` means all files of the directory. With several files each
 * line has a file's name. Errors come after the output, and a command goes on with its other files.
 */
import { ANSWER_NODE, type FileSystem, LINE_LIMIT, Lines, nodeOf } from './files';
import type { CommandLine, ParsedCommand } from './parse';
import { ANSWER, FILES, FIRST_DIRECTORY, FIRST_FILE, numberToken, STAR, token, UP } from './terminalWords';

const NO_FILE = token('no-such-file');
const NO_DIRECTORY = token('no-such-directory');
const IS_DIRECTORY = token('is-a-directory');
const NOT_DIRECTORY = token('not-a-directory');

/** Parts of a slot's disk that the agent knows, as bits: directories listed, files read (`cat`, `grep`), files shown whole. */
export interface KnownDisk {
  readonly listed: Uint8Array;
  readonly read: Uint32Array;
  readonly told: Uint32Array;
  /** 1 where `/answer` holds output that was not shown. */
  readonly hiddenAnswer: Uint8Array;
}

export class Shell {
  readonly #files: FileSystem;
  /** Number of directories of the machine, `home` included. */
  readonly #directories: number;
  readonly #file = new Lines(LINE_LIMIT);
  #input = new Lines(LINE_LIMIT);
  /** Output of the last line, and its errors. */
  output = new Lines(LINE_LIMIT);
  readonly errors = new Lines(LINE_LIMIT);
  /** True if the output is a listing, which is shown on one line. */
  isListing = false;
  hasExited = false;
  /** True if the answer depended on parts of the disk that the agent does not know. */
  isUncertain = false;
  /** True if it depended on which files exist in a directory not listed yet; that decides about errors too. */
  #asked = false;
  #listed = -1;
  readonly #nodes: number[] = [];
  /** Present directory of each slot. */
  readonly directory: Uint8Array;
  readonly known: KnownDisk;

  constructor(slots: number, files: FileSystem, directories: number) {
    this.#files = files;
    this.#directories = directories;
    this.directory = new Uint8Array(slots);
    this.known = {
      listed: new Uint8Array(slots),
      read: new Uint32Array(slots),
      told: new Uint32Array(slots),
      hiddenAnswer: new Uint8Array(slots),
    };
  }

  /** Begins at home. If it is the only directory, its listing is known: all files of the machine. */
  begin(slot: number): void {
    this.directory[slot] = 0;
    this.known.listed[slot] = this.#directories === 1 ? 1 : 0;
    this.known.read[slot] = 0;
    this.known.told[slot] = 0;
    this.known.hiddenAnswer[slot] = 0;
    this.hasExited = false;
  }

  run(slot: number, line: CommandLine): void {
    this.output.clear();
    this.errors.clear();
    this.isListing = false;
    this.hasExited = false;
    this.isUncertain = false;
    this.#asked = false;
    this.#listed = -1;
    for (let index = 0; index < line.count; index++) {
      [this.#input, this.output] = [this.output, this.#input];
      this.output.clear();
      this.#runPart(slot, line, line.parts[index], index > 0);
    }
    if (line.into === -1) return;
    const node = line.into === ANSWER ? ANSWER_NODE : nodeOf(this.directory[slot], line.into - FIRST_FILE);
    this.#files.write(slot, node, this.output);
    this.known.told[slot] &= ~bit(node);
    if (!this.isUncertain) this.#note(this.known.told, slot, node);
    if (node === ANSWER_NODE) this.known.hiddenAnswer[slot] = this.isUncertain ? 1 : 0;
    // The screen shows only the errors, not the output that went into the file.
    this.isUncertain &&= this.#asked;
    this.output.clear();
  }

  #runPart(slot: number, { words }: CommandLine, { command, first, end }: ParsedCommand, hasInput: boolean): void {
    this.isListing = command === 'ls';
    switch (command) {
      case 'ls':
        this.#list(slot, first === end ? -1 : words[first]);
        break;
      case 'cd':
        this.#enter(slot, first === end ? FIRST_DIRECTORY : words[first], first === end);
        break;
      case 'echo':
        this.output.begin();
        this.#echo(slot, words, first, end);
        break;
      case 'exit':
        this.hasExited = true;
        break;
      case 'rm':
        this.#resolve(slot, words, first, end);
        for (const node of this.#nodes) this.#files.remove(slot, node);
        break;
      case 'grep':
        this.#each(slot, words, first + 1, end, hasInput, words[first], false);
        break;
      case 'cat':
        this.#each(slot, words, first, end, hasInput, -1, false);
        break;
      case 'wc':
        this.#each(slot, words, first, end, hasInput, -1, true);
        break;
    }
  }

  /** Runs `cat`, `grep` (with a pattern) or `wc` (counts) on files, or on the input if none are named. */
  #each(
    slot: number,
    words: Uint16Array,
    first: number,
    end: number,
    hasInput: boolean,
    pattern: number,
    counts: boolean,
  ): void {
    if (first === end) {
      if (hasInput) this.#filter(this.#input, pattern, counts, -1);
      return;
    }
    const asked = this.#resolve(slot, words, first, end);
    const isNamed = asked > 1 && (pattern !== -1 || counts);
    for (const node of this.#nodes) {
      if (!this.#isTold(slot, node)) this.isUncertain = true;
      if (!counts) this.#note(this.known.read, slot, node);
      this.#files.read(slot, node, this.#file);
      this.#filter(this.#file, pattern, counts, isNamed ? nameOf(node) : -1);
    }
  }

  #filter(from: Lines, pattern: number, counts: boolean, name: number): void {
    if (counts) {
      this.output.begin();
      this.output.add(numberToken(from.count));
      if (name !== -1) this.output.add(name);
      return;
    }
    for (let line = 0; line < from.count; line++) {
      if (pattern !== -1 && !from.has(line, pattern)) continue;
      this.output.begin();
      if (name !== -1) this.output.add(name);
      this.output.addLine(from, line);
    }
  }

  /** Puts the files that arguments name into #nodes, with errors for the others. Returns the number asked for. */
  #resolve(slot: number, words: Uint16Array, first: number, end: number): number {
    this.#nodes.length = 0;
    let asked = 0;
    for (let at = first; at < end; at++) {
      const word = words[at];
      const before = this.#nodes.length;
      if (word === STAR) this.#all(slot, this.directory[slot]);
      if (this.#nodes.length > before) {
        asked += this.#nodes.length - before;
        continue;
      }
      asked += 1;
      const node = this.#find(slot, word);
      if (node !== -1) this.#nodes.push(node);
      else this.#complain(this.#isDirectory(slot, word) ? IS_DIRECTORY : NO_FILE, word);
    }
    return asked;
  }

  #all(slot: number, directory: number): void {
    this.#ask(slot, directory);
    for (let file = 0; file < FILES.length; file++) {
      const node = nodeOf(directory, file);
      if (this.#files.exists(slot, node)) this.#nodes.push(node);
    }
  }

  /** Node of a file in the present directory; −1 if there is none. */
  #find(slot: number, word: number): number {
    const file = word - FIRST_FILE;
    let node = -1;
    if (word === ANSWER) node = ANSWER_NODE;
    else if (file >= 0 && file < FILES.length) {
      this.#ask(slot, this.directory[slot]);
      node = nodeOf(this.directory[slot], file);
    }
    return node !== -1 && this.#files.exists(slot, node) ? node : -1;
  }

  /** True if a word names a directory from here: `..`, or at home one of the others. */
  #isDirectory(slot: number, word: number): boolean {
    const directory = word - FIRST_DIRECTORY;
    return word === UP || (this.directory[slot] === 0 && directory > 0 && directory < this.#directories);
  }

  #enter(slot: number, word: number, isHome: boolean): void {
    if (isHome || word === UP) this.directory[slot] = 0;
    else if (this.#isDirectory(slot, word)) this.directory[slot] = word - FIRST_DIRECTORY;
    else this.#complain(this.#find(slot, word) === -1 ? NO_DIRECTORY : NOT_DIRECTORY, word);
  }

  #list(slot: number, word: number): void {
    const here = this.directory[slot];
    this.#nodes.length = 0;
    const isHere = word === -1 || word === STAR;
    if (isHere || this.#isDirectory(slot, word)) {
      const directory = isHere ? here : word === UP ? 0 : word - FIRST_DIRECTORY;
      this.#all(slot, directory);
      this.#listed = directory;
      for (let other = 1; directory === 0 && word !== STAR && other < this.#directories; other++) {
        this.output.begin();
        this.output.add(FIRST_DIRECTORY + other);
      }
    } else {
      const node = this.#find(slot, word);
      if (node === -1) this.#complain(NO_FILE, word);
      else this.#nodes.push(node);
    }
    for (const node of this.#nodes) {
      this.output.begin();
      this.output.add(nameOf(node));
    }
  }

  #echo(slot: number, words: Uint16Array, first: number, end: number): void {
    for (let at = first; at < end; at++) {
      this.#nodes.length = 0;
      if (words[at] === STAR) this.#all(slot, this.directory[slot]);
      if (this.#nodes.length === 0) this.output.add(words[at]);
      for (const node of this.#nodes) this.output.add(nameOf(node));
    }
  }

  /** Notes that the answer depends on which files a directory has. */
  #ask(slot: number, directory: number): void {
    if ((this.known.listed[slot] & (1 << directory)) !== 0) return;
    this.isUncertain = true;
    this.#asked = true;
  }

  #isTold(slot: number, node: number): boolean {
    if (node === ANSWER_NODE) return this.known.hiddenAnswer[slot] === 0;
    return (this.known.told[slot] & bit(node)) !== 0;
  }

  #complain(error: number, word: number): void {
    this.errors.begin();
    this.errors.add(error);
    this.errors.add(word);
  }

  #note(bits: Uint32Array, slot: number, node: number): void {
    bits[slot] = (bits[slot] | bit(node)) >>> 0;
  }

  /**
   * Notes that the last line was shown whole. What it showed is then known, if it was an `ls`, or a `cat` of one file by name
   * (with several files it is not clear where each ends).
   */
  noteShown(slot: number, line: CommandLine): void {
    if (line.count !== 1 || line.into !== -1) return;
    const { command, first, end } = line.parts[0];
    if (this.#listed !== -1) this.known.listed[slot] |= 1 << this.#listed;
    const [node] = this.#nodes;
    if (command !== 'cat' || end - first !== 1 || line.words[first] === STAR || node === undefined) return;
    this.#note(this.known.told, slot, node);
    if (node === ANSWER_NODE) this.known.hiddenAnswer[slot] = 0;
  }
}

/** Bit of a node; `/answer` has none. */
export function bit(node: number): number {
  return node === ANSWER_NODE ? 0 : 1 << node;
}

function nameOf(node: number): number {
  return node === ANSWER_NODE ? ANSWER : FIRST_FILE + (node % FILES.length);
}
