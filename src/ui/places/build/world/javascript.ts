/** Colouring, indentation, completion and explanation of a world's text: as much of JavaScript as that takes. */
import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { knownNames } from '../../../kit/code/known';
import { namesAt } from './contract';

const KEYWORDS = new Set(
  (
    'break case catch class const continue default delete do else export extends finally for function if in instanceof ' +
    'let new null of return switch this throw true false try typeof undefined var while yield'
  ).split(' '),
);

/** An open bracket, or the template literal around one, and the indentation of its line. */
interface Open {
  readonly mark: string;
  readonly indent: number;
}

interface State {
  readonly open: Open[];
  inComment: boolean;
  /** A slash begins a regular expression here, and divides elsewhere. */
  mayBegin: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

function token(stream: StringStream, state: State): string | null {
  if (state.inComment) return comment(stream, state);
  if (state.open.at(-1)?.mark === '`') return template(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/\/.*/)) return 'comment';
  if (stream.match('/*')) return comment(stream, state);
  const kind = plain(stream, state);
  state.mayBegin = kind === 'keyword' || (kind === null && !/[\])}]$/.test(stream.current()));
  return kind;
}

function plain(stream: StringStream, state: State): string | null {
  if (stream.match(/^(?:'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?)/)) return 'string';
  if (stream.match(/^(?:0[xb][\da-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)/i)) return 'number';
  if (state.mayBegin && stream.match(/^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/)) return 'regexp';
  const name = stream.match(/^[A-Za-z_$][\w$]*/);
  if (Array.isArray(name)) {
    if (KEYWORDS.has(name[0])) return 'keyword';
    // Elsewhere a colon belongs to a choice: `a ? b : c`.
    const begins = /(?:^|[{,])\s*$/.test(stream.string.slice(0, stream.start));
    if (begins && stream.match(/^\s*:/, false)) return 'propertyName';
    return stream.match(/^\s*\(/, false) ? 'call' : 'variableName';
  }
  const mark = stream.next() ?? '';
  if (mark === '`') {
    state.open.push({ mark, indent: stream.indentation() });
    return 'string';
  }
  if (mark in CLOSING) state.open.push({ mark, indent: stream.indentation() });
  else if (CLOSING[state.open.at(-1)?.mark ?? ''] === mark) state.open.pop();
  return null;
}

function comment(stream: StringStream, state: State): string {
  state.inComment = !stream.match(/^.*?\*\//);
  if (state.inComment) stream.skipToEnd();
  return 'comment';
}

function template(stream: StringStream, state: State): string | null {
  if (stream.match('${')) {
    state.open.push({ mark: '{', indent: stream.indentation() });
    return null;
  }
  if (stream.eat('`')) state.open.pop();
  else stream.match(/^(?:[^`\\$]|\\.|\$(?!\{))+/) || stream.next();
  return 'string';
}

const language = StreamLanguage.define<State>({
  name: 'world',
  startState: () => ({ open: [], inComment: false, mayBegin: true }),
  copyState: ({ open, ...rest }) => ({ open: [...open], ...rest }),
  token,
  indent({ open }, after, { unit }) {
    const last = open.at(-1);
    if (last === undefined) return 0;
    if (last.mark === '`') return null;
    return after.startsWith(CLOSING[last.mark] ?? '') ? last.indent : last.indent + unit;
  },
  languageData: { commentTokens: { line: '//' } },
  tokenTable: { call: tags.function(tags.variableName) },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft-ink)' },
  { tag: tags.keyword, color: 'var(--own)', fontWeight: 'var(--bold)' },
  { tag: tags.function(tags.variableName), color: 'var(--own)' },
  { tag: tags.propertyName, color: 'var(--arm-1)' },
  { tag: [tags.string, tags.regexp], color: 'var(--arm-5)' },
  { tag: tags.number, color: 'var(--arm-2)' },
]);

export const worldLanguage: Extension = [language, syntaxHighlighting(colours), knownNames(namesAt)];
