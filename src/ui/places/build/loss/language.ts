/** The language of formulas in the editor: colours, completion and explanations. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import { isFunction, isInput, reductionOf, SHORTHANDS } from '../../../../formula/vocabulary';
import { knownNames } from '../../../kit/code/known';
import { namesIn } from './names';

const WORDS = /^(?:param|show|in|and|or|not|if|else)$/;

const language = StreamLanguage.define<null>({
  name: 'loss',
  startState: () => null,
  token(stream) {
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/)) return 'number';
    const found = stream.match(/^[A-Za-z_]\w*/);
    if (Array.isArray(found)) return kindOf(found[0]);
    stream.next();
    return null;
  },
  tokenTable: { input: tags.standard(tags.variableName), call: tags.function(tags.variableName) },
});

function kindOf(name: string): string {
  if (WORDS.test(name)) return 'keyword';
  if (isFunction(name) || name === 'to_go' || reductionOf(name) !== null) return 'call';
  return isInput(name) || name in SHORTHANDS ? 'input' : 'variableName';
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft-ink)' },
  { tag: tags.keyword, color: 'var(--own)', fontWeight: 'var(--bold)' },
  { tag: tags.function(tags.variableName), color: 'var(--own)' },
  { tag: tags.standard(tags.variableName), color: 'var(--arm-1)' },
  { tag: tags.number, color: 'var(--arm-2)' },
]);

export const formulaLanguage: Extension = [language, syntaxHighlighting(colours), knownNames(namesIn)];
