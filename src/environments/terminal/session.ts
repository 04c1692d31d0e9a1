/**
 * Sessions at the terminal, one a slot: installs the machine of a task, sends command lines to the shell, emits its answers,
 * and tests whether the disk is as the task asks.
 */
import type { Emission, WorldSlots } from '../environment';
import { nextCommand } from './expert';
import { ANSWER_NODE, FileSystem, nodeOf } from './files';
import { answered, answerOf, holdsAnswer, install, readTask, type TerminalTask, targetsOf } from './machine';
import type { TerminalOptions } from './options';
import { type CommandLine, emptyLine, parse, WELL_FORMED } from './parse';
import { bit, Shell } from './shell';
import { similarity } from './similarity';
import {
  ANSWER,
  BOS,
  CUT,
  ENTER,
  FIRST_DIRECTORY,
  FIRST_FILE,
  FIRST_PROMPT,
  LINE,
  MALFORMED,
  token,
} from './terminalWords';

const TASK = 5;
const NODES = ANSWER_NODE;

export class Sessions implements WorldSlots {
  readonly options: TerminalOptions;
  readonly disk: FileSystem;
  readonly shell: Shell;
  readonly #line: CommandLine;
  readonly #task: Int32Array;
  /** Bits of nodes: files of the machine as installed, those to be deleted, those written over since. */
  readonly #original: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #rewritten: Uint32Array;
  /** Words that `/answer` must hold; none for tasks without an answer. */
  readonly #answer: (readonly number[])[];
  readonly #turn: Uint16Array;
  readonly #malformed: Uint16Array;
  readonly #hasEnded: Uint8Array;
  /** 1 where a malformed line has ended the session: it has failed, also with the right files on the disk. */
  readonly #hasFailed: Uint8Array;
  readonly #floor: Float64Array;

  constructor(slots: number, options: TerminalOptions) {
    this.options = options;
    this.disk = new FileSystem(slots);
    this.shell = new Shell(slots, this.disk, options.directories);
    this.#line = emptyLine(options.actionTokens);
    this.#task = new Int32Array(slots * TASK);
    this.#original = new Uint32Array(slots);
    this.#targets = new Uint32Array(slots);
    this.#rewritten = new Uint32Array(slots);
    this.#answer = Array.from({ length: slots }, () => []);
    this.#turn = new Uint16Array(slots);
    this.#malformed = new Uint16Array(slots);
    this.#hasEnded = new Uint8Array(slots);
    this.#hasFailed = new Uint8Array(slots);
    this.#floor = new Float64Array(slots);
  }

  reset(slot: number, values: Int32Array, emission: Emission): void {
    const task = readTask(values);
    this.#task.set(values, slot * TASK);
    install(this.disk, slot, task.machine, this.options);
    let original = 0;
    for (let node = 0; node < NODES; node++) if (this.disk.exists(slot, node)) original |= bit(node);
    this.#original[slot] = original;
    this.#targets[slot] = targetsOf(this.disk, slot, task);
    this.#answer[slot] = answerOf(this.disk, slot, task);
    this.#rewritten[slot] = 0;
    this.#turn[slot] = 0;
    this.#malformed[slot] = 0;
    this.#hasEnded[slot] = 0;
    this.#hasFailed[slot] = 0;
    this.#floor[slot] = 0;
    this.shell.begin(slot);
    for (const word of promptOf(task)) emission.emit(word, 'prompt');
  }

  task(slot: number): TerminalTask {
    return readTask(this.#task.subarray(slot * TASK, (slot + 1) * TASK));
  }

  targets(slot: number): number {
    return this.#targets[slot];
  }

  original(slot: number): number {
    return this.#original[slot];
  }

  /** Words that `/answer` must hold; none for tasks without an answer. */
  answer(slot: number): readonly number[] {
    return this.#answer[slot];
  }

  legalSet(): number {
    return 1;
  }

  isFree(): boolean {
    return this.options.decoding.free;
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.isDone(slot)) return;
    this.#turn[slot] += 1;
    this.#floor[slot] = 0;
    const fault = parse(action, this.#line);
    if (fault === WELL_FORMED) this.#run(slot, emission);
    else this.#refuse(slot, fault, emission);
  }

  #run(slot: number, emission: Emission): void {
    this.shell.run(slot, this.#line);
    this.#noteRewriting(slot);
    if (this.options.fresh && this.shell.isUncertain) this.#floor[slot] = Number.NaN;
    if (this.shell.hasExited) this.#hasEnded[slot] = 1;
    else this.#show(slot, emission);
  }

  #refuse(slot: number, fault: number, emission: Emission): void {
    const { decoding, hardErrors } = this.options;
    const role = hardErrors ? 'observation' : 'warning';
    this.#malformed[slot] += 1;
    emission.emit(MALFORMED, role);
    if (fault > ENTER) emission.emit(fault, role);
    if (decoding.malformed !== 'end') return;
    this.#hasEnded[slot] = 1;
    this.#hasFailed[slot] = 1;
  }

  #noteRewriting(slot: number): void {
    const { into } = this.#line;
    if (into === -1 || into === ANSWER) return;
    const node = nodeOf(this.shell.directory[slot], into - FIRST_FILE);
    this.#rewritten[slot] |= this.#original[slot] & bit(node);
  }

  /** Emits output, errors and the next prompt; output that is too long ends in `<cut>`. */
  #show(slot: number, emission: Emission): void {
    const { output, errors, isListing } = this.shell;
    let left = this.options.output;
    let isFirst = true;
    // If not all fits, the last token is needed for <cut>.
    const total =
      tokensOf(output, isListing) + tokensOf(errors, false) + (output.count > 0 && errors.count > 0 ? 1 : 0);
    const isCut = total > left;
    if (isCut) left -= 1;
    const say = (word: number): void => {
      if (left > 0) emission.emit(word, 'observation');
      left -= 1;
    };
    for (const lines of [output, errors]) {
      for (let line = 0; line < lines.count; line++) {
        if (!isFirst && !(isListing && lines === output)) say(LINE);
        isFirst = false;
        for (let at = 0; at < lines.lengths[line]; at++) say(lines.word(line, at));
      }
    }
    if (isCut) emission.emit(CUT, 'observation');
    else this.shell.noteShown(slot, this.#line);
    emission.emit(FIRST_PROMPT + this.shell.directory[slot], 'observation');
  }

  isDone(slot: number): boolean {
    return this.#hasEnded[slot] === 1 || this.#turn[slot] >= this.options.horizon;
  }

  /** True if the disk is as asked: targets gone, all else unchanged, the answer written. */
  isSolved(slot: number): boolean {
    for (let node = 0; node < NODES; node++) {
      if ((this.#original[slot] & bit(node)) === 0) continue;
      const isTarget = (this.#targets[slot] & bit(node)) !== 0;
      if (this.disk.exists(slot, node) === isTarget) return false;
    }
    if (this.#rewritten[slot] !== 0) return false;
    const answer = this.#answer[slot];
    return answer.length === 0 || holdsAnswer(this.disk, slot, answer);
  }

  isSuccess(slot: number): boolean {
    return this.isDone(slot) && this.#hasFailed[slot] === 0 && this.isSolved(slot);
  }

  /** Pay of the result, less the penalty of each malformed line. */
  reward(slot: number): number {
    return this.#result(slot) - this.options.decoding.penalty * this.#malformed[slot];
  }

  /** 1 for success and 0 otherwise; or in the end the similarity of the answer to the right one, −1 without a form. */
  #result(slot: number): number {
    const right = this.#answer[slot];
    if (!this.options.paysSimilarity || right.length === 0) return this.isSuccess(slot) ? 1 : 0;
    if (!this.isDone(slot)) return 0;
    const words = this.#hasFailed[slot] === 1 ? null : answered(this.disk, slot);
    return words === null ? -1 : similarity(words, right);
  }

  expert(slot: number): readonly number[] {
    return nextCommand(this, slot);
  }

  /**
   * 0 on the fixed machine, which can be known. On a fresh one it is 0 where the answer follows from what the shell has shown
   * (whole files by `cat`, directories by `ls`) or the agent has written, and NaN elsewhere: the posterior of the files,
   * given counts and greps and given that the task exists, is not computed.
   */
  entropyFloor(slot: number): number {
    return this.#floor[slot];
  }

  /** Half for looking at the right places, half for the work itself; 0 once a file that should stay is lost. */
  progress(slot: number): number {
    const original = this.#original[slot];
    const targets = this.#targets[slot];
    if (this.isSolved(slot)) return 1;
    let [asked, looked, done] = [0, 0, 0];
    for (let node = 0; node < NODES; node++) {
      if ((original & bit(node)) === 0) continue;
      const isGone = !this.disk.exists(slot, node);
      const isTarget = (targets & bit(node)) !== 0;
      if (isGone && !isTarget) return 0;
      if (!isTarget) continue;
      asked += 1;
      if (isGone) done += 1;
      if ((this.shell.known.read[slot] & bit(node)) !== 0) looked += 1;
    }
    if (this.#rewritten[slot] !== 0) return 0;
    if (asked === 0) return this.hasLooked(slot) ? 0.5 : 0;
    return (0.5 * (looked + done)) / asked;
  }

  /** True if the agent has looked where the task has its answer: into the file, or at the directory. */
  hasLooked(slot: number): boolean {
    const { kind, file, directory } = this.task(slot);
    if (kind === 'find') return (this.shell.known.listed[slot] & (1 << directory)) !== 0;
    return (this.shell.known.read[slot] & bit(nodeOf(directory, file))) !== 0;
  }
}

function tokensOf({ count, lengths }: { count: number; lengths: Uint8Array }, isListing: boolean): number {
  let tokens = isListing || count === 0 ? 0 : count - 1;
  for (let line = 0; line < count; line++) tokens += lengths[line];
  return tokens;
}

const DELETE = [token('delete'), token('files'), token('with')];
const COUNT = [token('count'), token('lines'), token('with')];
const FIND = [token('find'), token('directory'), token('of')];
const [OF, IN] = [token('of'), token('in')] as const;

/**
 * Prompt: `delete files with X in D`, `count lines with X of F in D`, `find directory of F` or `delete X of F in D`,
 * and that of the shell.
 */
export function promptOf({ kind, word, file, directory }: TerminalTask): number[] {
  const [name, place] = [FIRST_FILE + file, FIRST_DIRECTORY + directory];
  if (kind === 'delete') return [BOS, ...DELETE, word, IN, place, FIRST_PROMPT];
  if (kind === 'count') return [BOS, ...COUNT, word, OF, name, IN, place, FIRST_PROMPT];
  if (kind === 'edit') return [BOS, DELETE[0], word, OF, name, IN, place, FIRST_PROMPT];
  return [BOS, ...FIND, name, FIRST_PROMPT];
}
