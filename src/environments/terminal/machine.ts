/**
 * Machines: their disks, the tasks on them, and the tests of success. A task is [kind, machine number, word, file,
 * directory]. Machine 0 is the fixed one; the others are drawn from their numbers.
 *
 * A fifth of the tasks is held out, by their fields and not by machine: those with word + 2·file divisible by 5, or
 * file + 2·directory for tasks without a word.
 */
import { RandomStream } from '../../foundation/philox';
import type { Split } from '../environment';
import { ANSWER_NODE, type FileSystem, LINE_LIMIT, Lines, nodeOf } from './files';
import { TASKS, type TaskKind, type TerminalOptions } from './options';
import { DIRECTORIES, FILES, FIRST_CONTENT, FIRST_DIRECTORY, LINE, numberToken } from './terminalWords';

const FIXED_MACHINE = 0;
const MACHINES = 2 ** 30;
/** Largest number of draws for a task; after them the split is taken to be empty. */
const MOST_DRAWS = 4000;
/** Largest number of files to delete in a task, so that one short command can name them. */
const MOST_TARGETS = 2;

export interface TerminalTask {
  readonly kind: TaskKind;
  readonly machine: number;
  readonly word: number;
  readonly file: number;
  readonly directory: number;
}

export function readTask(task: ArrayLike<number>): TerminalTask {
  const [kind = 0, machine = 0, word = 0, file = 0, directory = 0] = Array.from(task);
  return { kind: TASKS[kind] ?? 'delete', machine, word, file, directory };
}

export function isHeldOut({ kind, word, file, directory }: TerminalTask): boolean {
  return (kind === 'find' ? file + 2 * directory : word - FIRST_CONTENT + 2 * file) % 5 === 0;
}

const scratch = new Lines(LINE_LIMIT);

/** Writes a machine's files onto a slot's disk: the first file names, in uniform directories with uniform contents. */
export function install(disk: FileSystem, slot: number, machine: number, options: TerminalOptions): void {
  const random = new RandomStream(0x7465726d, 0, machine, 0, 0);
  disk.clear(slot);
  for (let file = 0; file < options.files; file++) {
    const node = nodeOf(random.below(options.directories), file);
    scratch.clear();
    for (let line = random.below(options.lines); line >= 0; line--) {
      scratch.begin();
      for (let word = 0; word < options.lineWords; word++) scratch.add(FIRST_CONTENT + random.below(options.content));
    }
    disk.write(slot, node, scratch);
  }
}

/** Number of a file's lines that have a word. */
function countLines(disk: FileSystem, slot: number, node: number, word: number): number {
  disk.read(slot, node, scratch);
  let count = 0;
  for (let line = 0; line < scratch.count; line++) if (scratch.has(line, word)) count += 1;
  return count;
}

/** Files of a freshly installed machine that a task wants deleted, as bits of nodes; 0 for other tasks. */
export function targetsOf(disk: FileSystem, slot: number, { kind, word, directory }: TerminalTask): number {
  let targets = 0;
  for (let file = 0; kind === 'delete' && file < FILES.length; file++) {
    const node = nodeOf(directory, file);
    if (disk.exists(slot, node) && countLines(disk, slot, node, word) > 0) targets |= 1 << node;
  }
  return targets;
}

/** Words that `/answer` must hold in the end, on one line; none for tasks without an answer. */
export function answerOf(
  disk: FileSystem,
  slot: number,
  { kind, word, file, directory }: TerminalTask,
): readonly number[] {
  if (kind === 'delete') return [];
  if (kind === 'find') return [FIRST_DIRECTORY + directory];
  const node = nodeOf(directory, file);
  if (kind === 'count') return [numberToken(countLines(disk, slot, node, word))];
  disk.read(slot, node, scratch);
  return wordsOf(scratch).filter((other) => other !== word);
}

/** Words of lines, with a word for the end of each line but the last. */
function wordsOf(lines: Lines): number[] {
  const words: number[] = [];
  for (let line = 0; line < lines.count; line++) {
    if (line > 0) words.push(LINE);
    for (let at = 0; at < lines.lengths[line]; at++) words.push(lines.word(line, at));
  }
  return words;
}

/** Words of `/answer`; null if there is no such file. */
export function answered(disk: FileSystem, slot: number): readonly number[] | null {
  if (!disk.exists(slot, ANSWER_NODE)) return null;
  disk.read(slot, ANSWER_NODE, scratch);
  return wordsOf(scratch);
}

export function holdsAnswer(disk: FileSystem, slot: number, answer: readonly number[]): boolean {
  const words = answered(disk, slot);
  return words !== null && words.length === answer.length && answer.every((word, at) => word === words[at]);
}

/** Drawer of tasks, on a disk of one slot. */
export class TaskDrawer {
  readonly #options: TerminalOptions;
  readonly #disk: FileSystem;
  /** True if tasks are held out: the setting asks for it, and both sides of the split have tasks. */
  readonly hasHeldOut: boolean;
  readonly hasTasks: boolean;

  constructor(options: TerminalOptions, disk: FileSystem) {
    this.#options = options;
    this.#disk = disk;
    const random = new RandomStream(0x7461736b, 0, 0, 0, 0);
    const has = (split: Split): boolean =>
      this.#draw(random, (task) => isHeldOut(task) === (split === 'held-out')) !== null;
    const [isTrained, isHeldBack] = [has('train'), has('held-out')];
    this.hasTasks = isTrained || isHeldBack;
    this.hasHeldOut = options.holdOut && isTrained && isHeldBack;
  }

  /** Draws a task; null if the machines of these settings have none in the split. */
  draw(random: RandomStream, split: Split): Int32Array | null {
    return this.#draw(random, (task) => !this.hasHeldOut || isHeldOut(task) === (split === 'held-out'));
  }

  #draw(random: RandomStream, isWanted: (task: TerminalTask) => boolean): Int32Array | null {
    for (let attempt = 0; attempt < MOST_DRAWS; attempt++) {
      const task = this.#candidate(random);
      if (!this.#isTask(task) || !isWanted(task)) continue;
      return Int32Array.of(TASKS.indexOf(task.kind), task.machine, task.word, task.file, task.directory);
    }
    return null;
  }

  #candidate(random: RandomStream): TerminalTask {
    const { tasks, fresh, files, content, directories } = this.#options;
    const kind = tasks[random.below(tasks.length)];
    const machine = fresh ? 1 + random.below(MACHINES - 1) : FIXED_MACHINE;
    install(this.#disk, 0, machine, this.#options);
    const file = random.below(files);
    let directory = 0;
    while (directory < directories - 1 && !this.#disk.exists(0, nodeOf(directory, file))) directory += 1;
    // A quarter of counting tasks ask for any word, also for one that the file does not have.
    this.#disk.read(0, nodeOf(directory, file), scratch);
    const isAny = kind === 'count' && random.below(4) === 0;
    const word = isAny
      ? FIRST_CONTENT + random.below(content)
      : scratch.word(random.below(scratch.count), random.below(this.#options.lineWords));
    return { kind, machine, word: kind === 'find' ? 0 : word, file, directory };
  }

  /**
   * True for tasks; in those that delete, `file` must be the first target and another file of the directory must stay; in
   * those that edit, the file has one line and some of it is left.
   */
  #isTask(task: TerminalTask): boolean {
    if (task.kind === 'edit') {
      this.#disk.read(0, nodeOf(task.directory, task.file), scratch);
      return scratch.count === 1 && answerOf(this.#disk, 0, task).length > 0;
    }
    if (task.kind !== 'delete') return true;
    const targets = targetsOf(this.#disk, 0, task);
    let [first, count, here] = [-1, 0, 0];
    for (let file = 0; file < FILES.length; file++) {
      const node = nodeOf(task.directory, file);
      if (this.#disk.exists(0, node)) here += 1;
      if ((targets & (1 << node)) === 0) continue;
      if (first === -1) first = file;
      count += 1;
    }
    return first === task.file && count <= MOST_TARGETS && count < here;
  }
}

/** Name of a directory, for people. */
export function directoryName(directory: number): string {
  return DIRECTORIES[directory] ?? '?';
}
