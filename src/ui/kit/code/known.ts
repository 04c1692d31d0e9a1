/** Names that a text may use: completed while one types, and explained under the pointer. */
import { autocompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';

export interface KnownName {
  readonly name: string;
  readonly kind: 'input' | 'function' | 'own' | 'word';
  readonly help: string;
  /** Text that is written for it, where that is not the name. */
  readonly apply?: string;
}

/** Names that may stand at a place of the text, of which the first `before` characters come before it. */
export type NamesAt = (text: string, before: number) => readonly KnownName[];

const TYPES = { input: 'variable', function: 'function', own: 'property', word: 'keyword' } as const;

export function knownNames(namesAt: NamesAt): Extension {
  const complete: CompletionSource = (context) => {
    const { state, pos, explicit } = context;
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    const from = word?.from ?? pos;
    const names = namesAt(state.doc.toString(), from);
    const follows = state.sliceDoc(from - 1, from) === '.' && names.length > 0;
    if (word === null && !explicit && !follows) return null;
    // A complete name is offered no completion, so that Enter ends the line, as its writer means.
    if (!explicit && names.some(({ name }) => name === word?.text)) return null;
    const options = names.map(({ name, kind, help, apply }): Completion => {
      const written = apply === undefined ? {} : { apply };
      return { label: name, type: TYPES[kind], info: help, boost: kind === 'own' ? 1 : 0, ...written };
    });
    return { from, options };
  };
  const explain = hoverTooltip((view, place) => {
    const word = view.state.wordAt(place);
    if (word === null) return null;
    const name = view.state.sliceDoc(word.from, word.to);
    const known = namesAt(view.state.doc.toString(), word.from).find((one) => one.name === name);
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
  return [autocompletion({ override: [complete], icons: false }), explain];
}
