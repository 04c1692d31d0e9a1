/** Brackets of a world's text that have no partner: the place of a syntax error, most often while one types. */
import { NOWHERE, type SourcePosition } from './failure';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Comments, literals and regular expressions, inside which brackets are letters; brackets; backticks. A regular expression is
 * short, or a text of strangers would take the square of its length.
 */
const PARTS =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|(?=\/)(?<=(?:^|[=(,:[!&|?{};]|=>|return)\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,200}\/\w*|[()[\]{}`]/g;

/** Text within a template literal, up to its end or to a value in it. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y;

interface Open {
  readonly mark: string;
  readonly at: number;
  /** Indentation of its line, characters. */
  readonly indent: number;
}

/**
 * Words on the bracket, with its place: one that is never closed, or is closed by another kind; null where all have their partner.
 */
export function strayBracket(text: string): (SourcePosition & { readonly what: string }) | null {
  const open: Open[] = [];
  const told = (at: number, what: string) => ({ ...placeAt(text, at), what });
  /** Bracket whose closing one is further left than its own line: the bracket or one within it was not closed. */
  let suspect: Open | null = null;
  let from = 0;
  let [line, indent, next] = [0, indentFrom(text, 0), text.indexOf('\n')];
  const goTo = (at: number): void => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', line)) {
      line = next + 1;
      indent = indentFrom(text, line);
    }
  };
  while (from < text.length) {
    if (open.at(-1)?.mark === '`') {
      TEMPLATE.lastIndex = from;
      const [all = '', end] = TEMPLATE.exec(text) ?? [];
      from += all.length;
      if (end === '`') open.pop();
      else if (end === '${') open.push({ mark: '{', at: from - 1, indent: Number.NEGATIVE_INFINITY });
      else break;
      continue;
    }
    PARTS.lastIndex = from;
    const found = PARTS.exec(text);
    if (found === null) break;
    const [mark] = found;
    const at = found.index;
    from = at + mark.length;
    goTo(at);
    if (mark === '`' || mark in CLOSING) open.push({ mark, at, indent });
    else if (')]}'.includes(mark)) {
      const last = open.pop();
      if (last === undefined) return told(at, `Nothing is open that this “${mark}” could close`);
      if (CLOSING[last.mark] !== mark) return told(last.at, `“${last.mark}” is not closed before “${mark}” comes`);
      if (at === line + indent && indent < last.indent) suspect ??= last;
    }
  }
  const last = open.at(-1);
  if (last === undefined) return null;
  const { mark, at } = suspect ?? last;
  return told(at, `“${mark}” is not closed`);
}

/** Number of spaces that a line begins with. */
function indentFrom(text: string, line: number): number {
  let at = line;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at - line;
}

/** Line and column of an index. */
export function placeAt(text: string, at: number): SourcePosition {
  if (at < 0) return NOWHERE;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
