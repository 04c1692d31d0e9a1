/**
 * A terminal: a disk of a few small files, a shell with eight commands, and a task whose success is read off the disk when
 * the session ends, by `exit` or at the horizon. Commands are sequences of word tokens closed by `<enter>`. Answers of the
 * shell are observations, errors such as `no-such-file` too; the answer to a malformed line is a warning.
 */

import { LabError } from '../../foundation/errors';
import type { RandomStream } from '../../foundation/philox';
import type { Environment, EnvironmentDefinition, Split, WorldSlots } from '../environment';
import { actionsOf, simulateRandomSuccess } from '../replay';
import type { Scene } from '../scene';
import { FileSystem } from './files';
import { TaskDrawer } from './machine';
import { type TaskKind, TERMINAL_SETTINGS, type TerminalOptions, terminalOptions } from './options';
import { terminalScenes } from './scenes';
import { Sessions } from './session';
import {
  CONTENT,
  DIRECTORIES,
  ENTER,
  FILES,
  FIRST_CONTENT,
  FIRST_DIRECTORY,
  FIRST_FILE,
  KINDS,
  numberToken,
  token,
  UP,
  WORDS,
} from './terminalWords';

const SIMULATED_EPISODES = 4096;
/** Longest prompt of each kind of task, `<bos>` and the shell's first prompt included. */
const PROMPT: Readonly<Record<TaskKind, number>> = { delete: 8, count: 10, find: 6, edit: 8 };

export const terminal: EnvironmentDefinition = {
  id: 'terminal',
  title: 'Terminal',
  summary: 'Do what the task asks on a small disk, with the commands of a shell.',
  settings: TERMINAL_SETTINGS,
  create: (settings) => new Terminal(terminalOptions(settings)),
};

const SAID: Readonly<Record<TaskKind, readonly string[]>> = {
  delete: ['ls', 'cat', 'grep', 'rm', 'exit', '*'],
  count: ['ls', 'cat', 'grep', 'wc', 'echo', 'exit', '*', '|', '>', '/answer'],
  find: ['ls', 'cat', 'echo', 'exit', '>', '/answer', 'home'],
  edit: ['ls', 'cat', 'grep', 'echo', 'exit', '>', '/answer'],
};

/** Legal words of the agent: those that its tasks and its machine have a use for. */
function legalWords({ tasks, directories, files, lines, content }: TerminalOptions): number[] {
  const some = (first: number, all: readonly string[], count: number): number[] =>
    all.slice(0, count).map((_, index) => first + index);
  const legal = new Set([ENTER, ...tasks.flatMap((kind) => SAID[kind].map(token))]);
  for (const file of some(FIRST_FILE, FILES, files)) legal.add(file);
  if (tasks.some((kind) => kind !== 'find')) for (const word of some(FIRST_CONTENT, CONTENT, content)) legal.add(word);
  if (tasks.includes('count')) for (let count = 0; count <= lines; count++) legal.add(numberToken(count));
  if (directories > 1) for (const word of [token('cd'), UP]) legal.add(word);
  for (const directory of some(FIRST_DIRECTORY, DIRECTORIES, directories).slice(1)) legal.add(directory);
  return [...legal].sort((a, b) => a - b);
}

class Terminal implements Environment {
  readonly words = WORDS;
  readonly kinds = KINDS;
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens: number;
  readonly asks =
    'Do what the task says on a small disk, with one command line a turn, and exit when it is done. Answers go into /answer: echo 2 > /answer';
  readonly stopToken = ENTER;
  readonly maxObservationTokens: number;
  readonly legalSets: readonly (readonly number[])[];
  readonly hasHeldOut: boolean;
  readonly outcomeWords?: string;
  readonly simulatedEpisodes = SIMULATED_EPISODES;
  readonly #options: TerminalOptions;
  readonly #drawer: TaskDrawer;
  #randomSuccess: number | null = null;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.maxTurns = options.horizon;
    this.maxActionTokens = options.actionTokens;
    this.maxObservationTokens = options.output + 1;
    const prompt = Math.max(...options.tasks.map((kind) => PROMPT[kind]));
    this.context = prompt + options.horizon * (options.actionTokens + options.output + 1);
    this.legalSets = [legalWords(options)];
    this.#drawer = new TaskDrawer(options, new FileSystem(1));
    const paid = outcomeWords(options);
    if (paid !== null) this.outcomeWords = paid;
    this.hasHeldOut = this.#drawer.hasHeldOut;
    if (!this.#drawer.hasTasks) throw noTasks();
  }

  /** Success rate over 4,096 simulated sessions: a standard error of 0.3 points at a rate of 3%. */
  get randomSuccess(): number {
    this.#randomSuccess ??= simulateRandomSuccess(this, SIMULATED_EPISODES);
    return this.#randomSuccess;
  }

  drawTask(random: RandomStream, split: Split = 'train'): Int32Array {
    const task = this.#drawer.draw(random, split);
    if (task === null) throw noTasks();
    return task;
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    return terminalScenes(new Sessions(1, this.#options), task, actionsOf(tokens, roles));
  }

  createWorld(slots: number): WorldSlots {
    return new Sessions(slots, this.#options);
  }
}

/** Words for the reward where answers are paid by similarity; null where it is 1 or 0. */
function outcomeWords({ paysSimilarity, tasks }: TerminalOptions): string | null {
  if (!paysSimilarity || tasks.every((kind) => kind === 'delete')) return null;
  const others = tasks.includes('delete') ? '; 1 or 0 where files are to be deleted' : '';
  return `similarity of the answer to the right one, −1 for none or for a broken form${others}`;
}

function noTasks(): LabError {
  return new LabError(
    'invalid-experiment',
    'On machines like this there is nothing to do.',
    'Choose more files, fewer directories, or more different words.',
  );
}
