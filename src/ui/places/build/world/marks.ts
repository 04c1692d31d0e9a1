/** Places of mistakes in a world's text, to be underlined: from the column that was told to the end of the name or mark there. */
import type { WorldReport } from '../../../../environments/own/examine/check';
import type { WorldMistake } from '../../../../environments/own/workshop/asked';
import type { CodeMark } from '../../../kit/code/CodeEditor';

export function marksOf(
  text: string,
  mistake: Pick<WorldMistake, 'text' | 'line' | 'column'> | null,
  report: WorldReport | null,
): CodeMark[] {
  const failed = (report?.checks ?? []).filter(({ ok }) => ok === false);
  const told = [...(mistake === null ? [] : [mistake]), ...failed].filter(({ line }) => line > 0);
  const marks = told.map((one) => ({ ...rangeAt(text, one.line, one.column, nameIn(one.text)), message: one.text }));
  // The checks find again what the episode met.
  return marks.filter(({ message }, at) => marks.findIndex((other) => other.message === message) === at);
}

/** Name that a message is about: QuickJS tells the line of what was thrown, and hardly ever the column. */
function nameIn(message: string): string | null {
  return (
    /: (\S+) is not (?:defined|a function)|property '(.+?)'|(?:\(\) says|^words has) “(\S+?)”/
      .exec(message)
      ?.slice(1)
      .find(Boolean) ?? null
  );
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Characters of a line, from 1: of the name, if the line has it; of what begins at the column; of the whole line where nothing
 * does.
 */
export function rangeAt(text: string, line: number, column: number, name: string | null = null): Range {
  const lines = text.split('\n');
  const shown = lines[line - 1];
  // A mistake at the end of the file is told one line after it.
  if (shown === undefined) return { from: Math.max(0, text.length - 1), to: text.length };
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const at = name === null ? -1 : shown.search(new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`));
  if (at >= 0) return { from: start + at, to: start + at + (name?.length ?? 0) };
  const [word = ''] = /^(?:[\w$]+|.)/u.exec(shown.slice(Math.max(0, column - 1))) ?? [];
  if (word.trim() !== '') return { from: start + column - 1, to: start + column - 1 + word.length };
  const indent = shown.length - shown.trimStart().length;
  return { from: start + indent, to: start + shown.length };
}
