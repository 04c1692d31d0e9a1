/** Brackets of a world's text that have no partner: what a syntax error is about, most often while one types. */
import { NOWHERE, type Place } from './failure';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Comments, literals and regular expressions, inside which brackets are letters; brackets; backticks. */
const PARTS =
  /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|(?<=(?:^|[=(,:[!&|?{};]|=>|return)\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*|[()[\]{}`]/g;

/** Text within a template literal, up to its end or to a value in it. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{|$)/y;

interface Open {
  readonly mark: string;
  readonly at: number;
}

/** Words on the bracket, with its place: one that is never closed, or is closed by another kind; null where all have their partner. */
export function strayBracket(text: string): (Place & { readonly what: string }) | null {
  const open: Open[] = [];
  const told = (at: number, what: string) => ({ ...placeAt(text, at), what });
  /** Bracket whose closing one stands further left than its own line does: what it holds was not closed, or it itself. */
  let suspect: Open | null = null;
  let from = 0;
  while (from < text.length) {
    if (open.at(-1)?.mark === '`') {
      TEMPLATE.lastIndex = from;
      const [all = '', end] = TEMPLATE.exec(text) ?? [];
      from += all.length;
      if (end === '`') open.pop();
      else if (end === '${') open.push({ mark: '{', at: from - 1 });
      else break;
      continue;
    }
    PARTS.lastIndex = from;
    const found = PARTS.exec(text);
    if (found === null) break;
    const [mark] = found;
    const at = found.index;
    from = at + mark.length;
    if (mark === '`' || mark in CLOSING) open.push({ mark, at });
    else if (')]}'.includes(mark)) {
      const last = open.pop();
      if (last === undefined) return told(at, `Nothing is open that this “${mark}” could close`);
      if (CLOSING[last.mark] !== mark) return told(last.at, `“${last.mark}” is not closed before “${mark}” comes`);
      const [indent, closes] = indentAt(text, at);
      if (closes && indent < indentAt(text, last.at)[0]) suspect ??= last;
    }
  }
  const last = open.at(-1);
  if (last === undefined) return null;
  const { mark, at } = suspect ?? last;
  return told(at, `“${mark}” is not closed`);
}

/** Indentation of the line of an index, and true if nothing stands before the index there. */
function indentAt(text: string, at: number): readonly [indent: number, isFirst: boolean] {
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return [before.length - before.trimStart().length, before.trim() === ''];
}

/** Line and column of an index. */
export function placeAt(text: string, at: number): Place {
  if (at < 0) return NOWHERE;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
