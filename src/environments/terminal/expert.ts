/**
 * The scripted expert: it looks first and then acts on what it has seen, so that an agent that knows only the screen can
 * imitate its sessions.
 */
import { nodeOf } from './files';
import type { TerminalTask } from './machine';
import type { Sessions } from './session';
import { bit } from './shell';
import {
  ANSWER,
  DIRECTORIES,
  ENTER,
  FILES,
  FIRST_DIRECTORY,
  FIRST_FILE,
  INTO,
  PIPE,
  STAR,
  token,
  UP,
} from './terminalWords';

const [LS, CD, CAT, GREP, WC, ECHO, RM, EXIT] = ['ls', 'cd', 'cat', 'grep', 'wc', 'echo', 'rm', 'exit'].map(token) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** The next command line, with `<enter>` unless the line has the greatest length. */
export function nextCommand(sessions: Sessions, slot: number): number[] {
  const line = sessions.isSolved(slot) ? [EXIT] : wordsFor(sessions, slot, sessions.task(slot));
  return line.length < sessions.options.actionTokens ? [...line, ENTER] : line;
}

function wordsFor(sessions: Sessions, slot: number, task: TerminalTask): number[] {
  if (task.kind === 'find') return find(sessions, slot);
  const here = sessions.shell.directory[slot];
  if (here !== task.directory) return here === 0 ? [CD, FIRST_DIRECTORY + task.directory] : [CD, UP];
  if (task.kind === 'edit') return edit(sessions, slot, task);
  return task.kind === 'delete' ? remove(sessions, slot, task) : count(sessions, slot, task);
}

/** Deletes: `grep X *`, then `rm` of the files that were named. */
function remove(sessions: Sessions, slot: number, { word, directory }: TerminalTask): number[] {
  const { disk, shell } = sessions;
  const isHere = (node: number): boolean => disk.exists(slot, node);
  const isRead = (node: number): boolean => (shell.known.read[slot] & bit(node)) !== 0;
  const here = FILES.map((_, file) => nodeOf(directory, file)).filter(isHere);
  if (!here.every(isRead)) return [GREP, word, STAR];
  const named = here.filter((node) => (sessions.targets(slot) & bit(node)) !== 0);
  return [RM, ...named.map((node) => FIRST_FILE + (node % FILES.length))];
}

/** Counts: one pipeline into the answer if it fits a line; otherwise looks first, with `wc` or without, and then writes. */
function count(sessions: Sessions, slot: number, { word, file }: TerminalTask): number[] {
  const { actionTokens } = sessions.options;
  const grep = [GREP, word, FIRST_FILE + file];
  if (actionTokens >= 7) return [...grep, PIPE, WC, INTO, ANSWER];
  if (sessions.hasLooked(slot)) return writing(sessions, slot);
  return actionTokens >= 5 ? [...grep, PIPE, WC] : grep;
}

/** Edits: looks at the file, then writes the rest of it. */
function edit(sessions: Sessions, slot: number, { file }: TerminalTask): number[] {
  return sessions.hasLooked(slot) ? writing(sessions, slot) : [CAT, FIRST_FILE + file];
}

function writing(sessions: Sessions, slot: number): number[] {
  return [ECHO, ...sessions.answer(slot), INTO, ANSWER];
}

/** Finds: lists one directory after the other until the file is seen, then writes the directory. */
function find(sessions: Sessions, slot: number): number[] {
  if (sessions.hasLooked(slot)) return writing(sessions, slot);
  const listed = sessions.shell.known.listed[slot];
  const next = DIRECTORIES.findIndex((_, directory) => (listed & (1 << directory)) === 0);
  return next === 0 ? [LS] : [LS, FIRST_DIRECTORY + next];
}
