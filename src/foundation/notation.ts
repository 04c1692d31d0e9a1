/**
 * Notation of a formula as a small tree: one description gives both the picture (MathML) and the words for screen readers.
 */
export type Notation =
  /** A letter; `spoken`: its name, where it is read otherwise than written. */
  | { readonly kind: 'symbol'; readonly text: string; readonly spoken?: string }
  | { readonly kind: 'number'; readonly value: number }
  /** An operator; `prefix`: it binds to its right side, as a sign does. */
  | { readonly kind: 'operator'; readonly text: string; readonly spoken: string; readonly prefix?: boolean }
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'row'; readonly parts: readonly Notation[] }
  | { readonly kind: 'under'; readonly base: Notation; readonly under: Notation }
  | { readonly kind: 'index'; readonly base: Notation; readonly index: Notation }
  | { readonly kind: 'power'; readonly base: Notation; readonly power: Notation }
  | { readonly kind: 'fraction'; readonly over: Notation; readonly under: Notation }
  | { readonly kind: 'root'; readonly of: Notation }
  /** One value for each condition, the first that holds counts; null: otherwise. */
  | { readonly kind: 'cases'; readonly rows: readonly Case[] };

export interface Case {
  readonly value: Notation;
  readonly condition: Notation | null;
}

/** Strings are symbols, numbers are numbers. */
export type NotationPart = Notation | string | number;

const asNotation = (part: NotationPart): Notation => {
  if (typeof part === 'string') return { kind: 'symbol', text: part };
  return typeof part === 'number' ? { kind: 'number', value: part } : part;
};

export const row = (...parts: readonly NotationPart[]): Notation => ({ kind: 'row', parts: parts.map(asNotation) });
export const letter = (text: string): Notation => ({ kind: 'symbol', text });
export const symbol = (text: string, spoken: string): Notation => ({ kind: 'symbol', text, spoken });
export const words = (text: string): Notation => ({ kind: 'words', text });
export const operator = (text: string, spoken: string): Notation => ({ kind: 'operator', text, spoken });
export const index = (base: NotationPart, at: NotationPart): Notation => ({
  kind: 'index',
  base: asNotation(base),
  index: asNotation(at),
});
export const power = (base: NotationPart, to: NotationPart): Notation => ({
  kind: 'power',
  base: asNotation(base),
  power: asNotation(to),
});
export const fraction = (over: NotationPart, under: NotationPart): Notation => ({
  kind: 'fraction',
  over: asNotation(over),
  under: asNotation(under),
});

/** A square root. */
export const root = (of: NotationPart): Notation => ({ kind: 'root', of: asNotation(of) });

export const minus = operator('−', 'minus');
export const plus = operator('+', 'plus');
export const times = operator('·', 'times');
export const equals = operator('=', 'equals');
const comma = operator(',', ',');
export const negative: Notation = { kind: 'operator', text: '−', spoken: 'minus', prefix: true };

/** Notation of a call: name(argument, argument …). */
export const call = (name: NotationPart, ...given: readonly NotationPart[]): Notation =>
  row(
    name,
    operator('(', 'of'),
    ...given.flatMap((argument, at) => (at === 0 ? [argument] : [comma, argument])),
    operator(')', ','),
  );

export const brackets = (...parts: readonly NotationPart[]): Notation =>
  row(operator('[', 'open bracket'), ...parts, operator(']', 'close bracket'));

/** Σ or an average over a set, which is written beneath it. */
export const over = (what: NotationPart, set: string): Notation => ({
  kind: 'under',
  base: asNotation(what),
  under: words(set),
});
