/**
 * Parser of command lines. A line is one command, or two joined by `|`; its output may go into a file by `> NAME` at the
 * end. `cd`, `rm` and `exit` stand alone. Any other line is malformed with any files on the disk.
 */
import {
  ANSWER,
  COMMANDS,
  ENTER,
  FILES,
  FIRST_COMMAND,
  FIRST_FILE,
  INTO,
  PIPE,
  type ShellCommand,
} from './terminalWords';

/** A command, and the range of its arguments in the line. */
export interface ParsedCommand {
  command: ShellCommand;
  first: number;
  end: number;
}

export interface CommandLine {
  /** Words before `<enter>`; filled by parse(). */
  readonly words: Uint16Array;
  readonly parts: [ParsedCommand, ParsedCommand];
  count: number;
  /** Word of the file the output goes to; −1 for the screen. */
  into: number;
}

export function emptyLine(longest: number): CommandLine {
  const part = (): ParsedCommand => ({ command: 'ls', first: 0, end: 0 });
  return { words: new Uint16Array(longest), parts: [part(), part()], count: 0, into: -1 };
}

export const WELL_FORMED = -1;

function isFileName(word: number): boolean {
  return word === ANSWER || (word >= FIRST_FILE && word < FIRST_FILE + FILES.length);
}

/**
 * Parses an action into `line`, with 0 parts for an empty one. Returns WELL_FORMED, or the word where the form is broken. A
 * line of the greatest length needs no `<enter>`.
 */
export function parse(action: ArrayLike<number>, line: CommandLine): number {
  let end = 0;
  while (end < action.length && end < line.words.length && action[end] !== ENTER) {
    line.words[end] = action[end];
    end += 1;
  }
  line.count = 0;
  line.into = -1;
  const hasFile = end >= 2 && line.words[end - 2] === INTO;
  if (hasFile) {
    line.into = line.words[end - 1];
    if (!isFileName(line.into)) return line.into;
    end -= 2;
  }
  if (end === 0) return hasFile ? INTO : WELL_FORMED;
  let first = 0;
  for (let at = 0; at <= end; at++) {
    const word = at === end ? PIPE : line.words[at];
    if (word === INTO) return INTO;
    if (word !== PIPE) continue;
    if (at === first || line.count === 2) return PIPE;
    const part = line.parts[line.count];
    const command = COMMANDS[line.words[first] - FIRST_COMMAND];
    if (command === undefined) return line.words[first];
    part.command = command;
    part.first = first + 1;
    part.end = at;
    line.count += 1;
    first = at + 1;
  }
  return formOf(line);
}

/** WELL_FORMED if each command has the arguments it needs, otherwise the word of the first that does not. */
function formOf(line: CommandLine): number {
  for (let index = 0; index < line.count; index++) {
    const { command, first, end } = line.parts[index];
    if (!hasItsArguments(command, end - first, index > 0, line.count > 1 || line.into !== -1)) {
      return FIRST_COMMAND + COMMANDS.indexOf(command);
    }
  }
  return WELL_FORMED;
}

function hasItsArguments(command: ShellCommand, count: number, hasInput: boolean, isJoined: boolean): boolean {
  switch (command) {
    case 'ls':
      return count <= 1;
    case 'cd':
      return count <= 1 && !isJoined;
    case 'cat':
    case 'wc':
      return count >= 1 || hasInput;
    case 'grep':
      return count >= (hasInput ? 1 : 2);
    case 'rm':
      return count >= 1 && !isJoined;
    case 'exit':
      return count === 0 && !isJoined;
    case 'echo':
      return true;
  }
}
