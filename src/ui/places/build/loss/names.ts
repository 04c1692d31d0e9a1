/** Names a formula's text may use, with their help: the language's, and those the text defines so far. */
import { formulaOf } from '../../../../experiment/arm/ownLosses';
import { vocabulary } from '../../../../formula/vocabularyHelp';
import type { KnownName } from '../../../kit/code/known';

const WORDS: readonly KnownName[] = [
  { name: 'param', kind: 'word', help: 'param name = number in [low, high]: a number with a control of its own.' },
  { name: 'show', kind: 'word', help: 'show name = expression: its mean over the formula’s tokens is a curve.' },
  { name: 'loss', kind: 'word', help: 'loss = expression: what is minimised, token by token.' },
  { name: 'and', kind: 'word', help: 'a and b: 1 where both hold.' },
  { name: 'or', kind: 'word', help: 'a or b: 1 where one of them holds.' },
  { name: 'not', kind: 'word', help: 'not a: 1 where it does not hold.' },
  { name: 'if', kind: 'word', help: 'a if condition else b.' },
  { name: 'else', kind: 'word', help: 'a if condition else b.' },
  { name: 'in', kind: 'word', help: 'param name = number in [low, high].' },
];

const LANGUAGE: readonly KnownName[] = [...vocabulary(), ...WORDS].map((one) =>
  one.kind === 'function' ? { ...one, apply: `${one.name}(` } : one,
);

const OF_LANGUAGE = new Map(LANGUAGE.map((one) => [one.name, one]));

const LINE = /^[ \t]*(?:(param|show)[ \t]+)?([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*([^#\n]*)/gm;

/** Names that the text defines, also those after a mistake. */
function ownNames(text: string): KnownName[] {
  const levels = levelsOf(text);
  return [...text.matchAll(LINE)].flatMap(([, word, name = '', expression = '']) => {
    if (word === 'show' || OF_LANGUAGE.has(name)) return [];
    const level = word === 'param' ? 'constant' : levels.get(name);
    const each = level === undefined ? '' : level === 'constant' ? ' One number.' : ` One a ${level}.`;
    const what = word === 'param' ? 'parameter ' : '';
    return [{ name, kind: 'own', help: `${what}${name} = ${expression.trim()}.${each}` }];
  });
}

/** Levels of the text's own values; of none while it has a mistake. */
function levelsOf(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(formulaOf(text).program.named.map(({ name, node }) => [name, node.level]));
  } catch {
    // The mistake is told where it is.
    return new Map();
  }
}

/** The text's own names first, as they come before the language's where both are told. */
export const namesIn = (text: string): readonly KnownName[] => [...ownNames(text), ...LANGUAGE];
