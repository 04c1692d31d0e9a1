/**
 * A formula as a small tree, so that one description gives both the picture (MathML) and the words for screen readers.
 */
export type Formula =
  /** A letter; `spoken`: its name, where it is read otherwise than written. */
  | { readonly kind: 'symbol'; readonly text: string; readonly spoken?: string }
  | { readonly kind: 'number'; readonly value: number }
  /** An operator; `prefix`: it binds to its right side, as a sign does. */
  | { readonly kind: 'operator'; readonly text: string; readonly spoken: string; readonly prefix?: boolean }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'row'; readonly parts: readonly Formula[] }
  | { readonly kind: 'under'; readonly base: Formula; readonly under: Formula }
  | { readonly kind: 'index'; readonly base: Formula; readonly index: Formula }
  | { readonly kind: 'power'; readonly base: Formula; readonly power: Formula }
  | { readonly kind: 'fraction'; readonly over: Formula; readonly under: Formula }
  | { readonly kind: 'root'; readonly of: Formula }
  /** One value for each condition, the first that holds counts; null: otherwise. */
  | { readonly kind: 'cases'; readonly rows: readonly Case[] };

export interface Case {
  readonly value: Formula;
  readonly condition: Formula | null;
}

/** Strings are symbols, numbers are numbers. */
export type Part = Formula | string | number;

const asFormula = (part: Part): Formula => {
  if (typeof part === 'string') return { kind: 'symbol', text: part };
  return typeof part === 'number' ? { kind: 'number', value: part } : part;
};

export const row = (...parts: readonly Part[]): Formula => ({ kind: 'row', parts: parts.map(asFormula) });
export const letter = (text: string): Formula => ({ kind: 'symbol', text });
export const symbol = (text: string, spoken: string): Formula => ({ kind: 'symbol', text, spoken });
export const words = (text: string): Formula => ({ kind: 'words', text });
export const operator = (text: string, spoken: string): Formula => ({ kind: 'operator', text, spoken });
export const index = (base: Part, at: Part): Formula => ({
  kind: 'index',
  base: asFormula(base),
  index: asFormula(at),
});
export const power = (base: Part, to: Part): Formula => ({
  kind: 'power',
  base: asFormula(base),
  power: asFormula(to),
});
export const fraction = (over: Part, under: Part): Formula => ({
  kind: 'fraction',
  over: asFormula(over),
  under: asFormula(under),
});

/** A square root. */
export const root = (of: Part): Formula => ({ kind: 'root', of: asFormula(of) });

export const minus = operator('−', 'minus');
export const plus = operator('+', 'plus');
export const times = operator('·', 'times');
export const equals = operator('=', 'equals');
const comma = operator(',', ',');
export const negative: Formula = { kind: 'operator', text: '−', spoken: 'minus', prefix: true };

/** Formula of a call: name(argument, argument …). */
export const call = (name: Part, ...given: readonly Part[]): Formula =>
  row(
    name,
    operator('(', 'of'),
    ...given.flatMap((argument, at) => (at === 0 ? [argument] : [comma, argument])),
    operator(')', ','),
  );

export const brackets = (...parts: readonly Part[]): Formula =>
  row(operator('[', 'open bracket'), ...parts, operator(']', 'close bracket'));

/** Σ or an average over a set, which is written beneath it. */
export const over = (what: Part, set: string): Formula => ({ kind: 'under', base: asFormula(what), under: words(set) });
