/** How the text of a formula is coloured, completed and explained in the editor. */
import { autocompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { isFunction, isInput, reductionOf, SHORTHANDS } from '../../formula/vocabulary';
import { knownNames, nameAt } from './names';

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

const TYPES = { input: 'variable', function: 'function', own: 'property', word: 'keyword' } as const;

const complete: CompletionSource = (context) => {
  const word = context.matchBefore(/[A-Za-z_]\w*/);
  if (word === null && !context.explicit) return null;
  const names = knownNames(context.state.doc.toString());
  // A name that is whole needs none: Enter then ends the line, as whoever typed it means.
  if (!context.explicit && names.some(({ name }) => name === word?.text)) return null;
  const options = names.map(({ name, kind, help }): Completion => {
    const apply = kind === 'function' ? { apply: `${name}(` } : {};
    return { label: name, type: TYPES[kind], info: help, boost: kind === 'own' ? 1 : 0, ...apply };
  });
  return { from: word?.from ?? context.pos, options };
};

/** What the name under the pointer is. */
const explain = hoverTooltip((view, place) => {
  const word = view.state.wordAt(place);
  if (word === null) return null;
  const known = nameAt(view.state.doc.toString(), view.state.sliceDoc(word.from, word.to));
  if (known === undefined) return null;
  return {
    pos: word.from,
    end: word.to,
    above: true,
    create() {
      const dom = document.createElement('div');
      dom.className = 'cm-explained';
      dom.textContent = known.help;
      return { dom };
    },
  };
});

export const formulaLanguage: Extension = [
  language,
  syntaxHighlighting(colours),
  autocompletion({ override: [complete], icons: false }),
  explain,
];
