/** Settings of the terminal: their declarations, and their values. */
import { LabError } from '../../foundation/errors';
import { type Decoding, decodingSettings, readDecoding, readerOf } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';
import { CONTENT, DIRECTORIES, FILES } from './terminalWords';

export const TASKS = ['delete', 'count', 'find', 'edit'] as const;
export type TaskKind = (typeof TASKS)[number];

const integer = (
  key: string,
  label: string,
  help: string,
  initial: number,
  min: number,
  max: number,
): EnvironmentSetting => ({
  key,
  label,
  help,
  type: 'integer',
  default: initial,
  min,
  max,
});

/** Changes to the shared settings: here even legal words can form a malformed line. */
const DECODING: Readonly<Record<string, Partial<EnvironmentSetting>>> = {
  decoding: { help: 'Legal: only words the task and the machine have a use for can be drawn. Free: any word can.' },
  malformed: {
    help: 'A line without the form of a command: a warning and a turn lost, the end of the session, or reward lost each time.',
    isRelevant: () => true,
  },
  penalty: { isRelevant: ({ malformed }) => malformed === 'penalty' },
};

export const TERMINAL_SETTINGS: readonly EnvironmentSetting[] = [
  {
    key: 'tasks',
    label: 'Tasks',
    help: 'Delete the files that have a word; count the lines of a file that have a word and write the number to /answer; find the directory a file is in and write its name to /answer; or a mixture of these three. Edit: write the one line of a file to /answer without a given word.',
    type: 'choice',
    default: 'delete',
    choices: [...TASKS, 'mixed'],
  },
  {
    key: 'machine',
    label: 'Machine',
    help: 'Fresh: another disk in each task, which has to be looked at. Fixed: the same disk in every episode and every run, so that it can be learned.',
    type: 'choice',
    default: 'fresh',
    choices: ['fresh', 'fixed'],
  },
  integer('directories', 'Directories', 'Directories besides home, one level deep.', 0, 0, DIRECTORIES.length - 1),
  integer('files', 'Files', 'Files on the disk, each in some directory.', 3, 2, FILES.length),
  integer('lines', 'Lines', 'Most lines of a file; each file has between one and so many.', 2, 1, 4),
  integer('lineWords', 'Words of a line', 'Words on each line of a file.', 1, 1, 6),
  integer('content', 'Different words', 'How many different words files are made of.', 6, 3, CONTENT.length),
  integer(
    'horizon',
    'Horizon',
    'Turns after which the session ends as it stands; finding among several directories needs about 6.',
    5,
    2,
    16,
  ),
  integer(
    'actionTokens',
    'Longest command',
    'Tokens a command line may have, <enter> included; a line so long is sent without it.',
    4,
    4,
    10,
  ),
  integer('output', 'Longest output', 'Tokens of output shown of each command; longer output is cut off.', 12, 6, 48),
  {
    key: 'grading',
    label: 'Reward of an answer',
    help: 'Exact: 1 for a disk that is as the task asks, else 0. Similarity: how alike /answer and the right answer are, 0 to 1 (difflib’s ratio, of words), and −1 if there is no answer or the session ended by a malformed line, as SWE-RL pays for a patch. Success is exact with both.',
    type: 'choice',
    default: 'exact',
    choices: ['exact', 'similarity'],
    isRelevant: ({ tasks }) => tasks !== 'delete',
  },
  {
    key: 'holdOut',
    label: 'Hold out tasks',
    help: 'Keeps a fifth of the pairs (word and file, or file and directory) out of the training tasks, for a test on tasks never practised.',
    type: 'boolean',
    default: true,
  },
  ...decodingSettings.map((setting) => ({ ...setting, ...DECODING[setting.key] })),
  {
    key: 'hardErrors',
    label: 'Malformed as observation',
    help: 'Answers a malformed command by an ordinary observation instead of a warning, so that losses on observations train on it.',
    type: 'boolean',
    default: false,
  },
];

export interface TerminalOptions {
  readonly tasks: readonly TaskKind[];
  readonly fresh: boolean;
  /** Directories of the machine, home included. */
  readonly directories: number;
  readonly files: number;
  readonly lines: number;
  readonly lineWords: number;
  readonly content: number;
  readonly horizon: number;
  readonly actionTokens: number;
  readonly output: number;
  /** True where an answer is paid by its similarity to the right one. */
  readonly paysSimilarity: boolean;
  readonly holdOut: boolean;
  readonly hardErrors: boolean;
  readonly decoding: Decoding;
}

export function terminalOptions(settings: EnvironmentSettings): TerminalOptions {
  const value = readerOf(TERMINAL_SETTINGS, settings);
  const kind = value('tasks');
  const directories = 1 + Number(value('directories'));
  if (kind === 'find' && directories === 1) {
    throw new LabError(
      'invalid-experiment',
      'There is no directory to find a file in but home.',
      'Choose at least one directory, or other tasks.',
    );
  }
  const [lineWords, actionTokens] = [Number(value('lineWords')), Number(value('actionTokens'))];
  if (kind === 'edit' && (lineWords < 2 || actionTokens < lineWords + 2)) {
    throw new LabError(
      'invalid-experiment',
      'No command can write what is left of a line.',
      'Choose at least two words of a line, and a longest command two tokens longer than a line.',
    );
  }
  // Runs from before there was editing drew among the other tasks.
  const mixed = TASKS.filter((task) => task !== 'edit' && (task !== 'find' || directories > 1));
  return {
    tasks: kind === 'mixed' ? mixed : TASKS.filter((task) => task === kind),
    fresh: value('machine') === 'fresh',
    directories,
    files: Number(value('files')),
    lines: Number(value('lines')),
    lineWords,
    content: Number(value('content')),
    horizon: Number(value('horizon')),
    actionTokens,
    output: Number(value('output')),
    paysSimilarity: value('grading') === 'similarity',
    holdOut: Boolean(value('holdOut')),
    hardErrors: Boolean(value('hardErrors')),
    decoding: readDecoding(settings),
  };
}
