/** Lines typed into the terminal, and a terminal with much on its disk. */
import { WORDS } from '../../src/environments/terminal/terminalWords';

export const LARGE = {
  directories: 3,
  files: 8,
  lines: 4,
  lineWords: 2,
  content: 16,
  actionTokens: 8,
  output: 24,
  horizon: 10,
};

/** Tokens of a line, its end included. */
export const typed = (line: string): number[] =>
  `${line} <enter>`
    .trim()
    .split(' ')
    .map((word) => WORDS.indexOf(word));
