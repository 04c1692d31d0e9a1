/**
 * The terminal's vocabulary. It is the same for all settings, so that a policy can be tried on another machine; the legal set
 * restricts the words an agent may say.
 */
import { MALFORMED_WORD } from '../decoding';
import { listWords, MARKS } from '../wordKinds';

export const COMMANDS = ['ls', 'cd', 'cat', 'grep', 'wc', 'echo', 'rm', 'exit'] as const;
export type ShellCommand = (typeof COMMANDS)[number];

export const DIRECTORIES = ['home', 'docs', 'logs', 'src'] as const;
export const FILES = ['notes', 'todo', 'plan', 'list', 'mail', 'data', 'draft', 'index'] as const;
/** Words in files. */
export const CONTENT = [
  ...['apple', 'owl', 'oak', 'fox', 'plum', 'elm', 'hen', 'fig'],
  ...['crow', 'ash', 'pear', 'lark', 'fir', 'swan', 'lime', 'wren'],
] as const;
const NUMBERS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'many'] as const;
const ERRORS = ['no-such-file', 'no-such-directory', 'is-a-directory', 'not-a-directory'] as const;
const TASK_WORDS = ['delete', 'count', 'find', 'files', 'lines', 'with', 'of', 'in', 'directory'] as const;

export const { words: WORDS, kinds: KINDS } = listWords([
  MARKS,
  ['signs', ['<enter>']],
  ['commands', COMMANDS],
  ['signs', ['|', '>', '*', '..', '/answer']],
  ['names of directories', DIRECTORIES],
  ['names of files', FILES],
  ['words in files', CONTENT],
  ['numbers', NUMBERS],
  ['the shell’s prompt', DIRECTORIES.map((name) => `${name}$`)],
  ['ends of lines', ['<line>', '<cut>']],
  ['complaints', [MALFORMED_WORD]],
  ['errors', ERRORS],
  ['words of the task', TASK_WORDS],
]);

/** Token of a word. */
export function token(word: string): number {
  return WORDS.indexOf(word);
}

export const BOS = token('<bos>');
export const ENTER = token('<enter>');
export const PIPE = token('|');
export const INTO = token('>');
export const STAR = token('*');
export const UP = token('..');
export const ANSWER = token('/answer');
export const LINE = token('<line>');
export const CUT = token('<cut>');
export const MALFORMED = token(MALFORMED_WORD);
export const FIRST_COMMAND = token('ls');
export const FIRST_DIRECTORY = token('home');
export const FIRST_FILE = token('notes');
export const FIRST_CONTENT = token('apple');
export const FIRST_PROMPT = token('home$');
const ZERO = token('0');
const MANY = token('many');

/** Token of a count; 10 and more are `many`. */
export function numberToken(count: number): number {
  return Math.min(ZERO + count, MANY);
}
