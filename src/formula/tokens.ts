/** Text to tokens. Inside of brackets a line may go on; a comment ends with its line. */
import { excerpt, type Fail, type TextSpan } from './error';

export interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'line' | 'end';
  readonly text: string;
  readonly at: TextSpan;
}

const PATTERN =
  /(?<space>[ \t\r]+|#[^\n]*)|(?<line>\n)|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>\*\*|[<>=!]=|[-+*/<>=()[\],])/y;

/** Advice for people who write Python's blocks. */
export const NO_BLOCKS = 'Lines have no blocks under them: choose within one, as in loss = (-logp if A > 0 else 0).';

/** Signs that people type for others. */
const INSTEAD: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  '·': '*',
  '×': '*',
  '÷': '/',
  '^': '**',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '!': 'not',
  '&': 'and',
  '|': 'or',
  '?': 'a if condition else b',
  ';': 'a new line',
  '.': 'a plain name, such as exp (not torch.exp)',
};

export function tokensOf(text: string, fail: Fail): readonly Token[] {
  const tokens: Token[] = [];
  let [from, brackets] = [0, 0];
  while (from < text.length) {
    PATTERN.lastIndex = from;
    const groups = PATTERN.exec(text)?.groups;
    const found = groups === undefined ? undefined : Object.entries(groups).find(([, typed]) => typed !== undefined);
    if (found === undefined) return unknown(text, from, fail);
    const [kind, typed] = found as [Token['kind'] | 'space', string];
    const at = { from, to: from + typed.length };
    from = at.to;
    if (kind === 'space' || (kind === 'line' && brackets > 0)) continue;
    if (typed === '(' || typed === '[') brackets++;
    if (typed === ')' || typed === ']') brackets = Math.max(brackets - 1, 0);
    if (kind === 'number' && !Number.isFinite(Number(typed)))
      fail(at, `${excerpt(typed)} is too large for a number.`, 'Type a smaller one.');
    tokens.push({ kind, text: typed, at });
  }
  const end = { from: text.length, to: text.length };
  return [...tokens, { kind: 'line', text: '', at: end }, { kind: 'end', text: '', at: end }];
}

function unknown(text: string, from: number, fail: Fail): never {
  const code = text.codePointAt(from) as number;
  const typed = String.fromCodePoint(code);
  const instead = INSTEAD[typed];
  const advice = typed === ':' ? NO_BLOCKS : instead === undefined ? 'Remove it.' : `Use ${instead}.`;
  // A sign that cannot be seen is named.
  const told = excerpt(typed) === typed ? `“${typed}”` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return fail({ from, to: from + typed.length }, `${told} cannot be used here.`, advice);
}
