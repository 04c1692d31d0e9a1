/** Mistakes in a formula's text, each with its place. */
import { excerpt as excerptOf, LabError } from '../foundation/errors';

/** Places between characters, counted from 0: the text from `from` up to and without `to`. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export class FormulaError extends LabError {
  readonly span: TextSpan;
  /** Line and column, both counted from 1. */
  readonly line: number;
  readonly column: number;
  /** Mistake in words, without its place. */
  readonly mistake: string;

  constructor(text: string, span: TextSpan, what: string, advice: string) {
    const before = text.slice(0, span.from).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    super('invalid-formula', `Line ${line}, column ${column}: ${what}`, advice);
    this.name = 'FormulaError';
    this.span = span;
    this.line = line;
    this.column = column;
    this.mistake = what;
  }
}

/** Refusal of a text at a place; always throws FormulaError. */
export type Fail = (span: TextSpan, what: string, advice: string) => never;

export const failIn =
  (text: string): Fail =>
  (span, what, advice) => {
    throw new FormulaError(text, span, what, advice);
  };

/** Words that someone typed, for a message. */
export const excerpt = (typed: string): string => excerptOf(typed, 40);
