/** Trees of a formula's text. Each node keeps its place, so that errors, hover and steps can point at it. */
import type { TextSpan } from './error';

export const COMPARISONS = ['<', '<=', '>', '>=', '==', '!='] as const;
export type ComparisonSign = (typeof COMPARISONS)[number];
export type Arithmetic = '+' | '-' | '*' | '/' | '**';

interface At {
  readonly at: TextSpan;
}

export type Expression =
  | (At & { readonly kind: 'number'; readonly value: number })
  | (At & { readonly kind: 'name'; readonly name: string })
  | (At & { readonly kind: 'minus'; readonly of: Expression })
  | (At & { readonly kind: 'not'; readonly of: Expression })
  | (At & {
      readonly kind: 'arithmetic';
      readonly sign: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (At & {
      readonly kind: 'comparison';
      readonly sign: ComparisonSign;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (At & { readonly kind: 'both' | 'either'; readonly left: Expression; readonly right: Expression })
  | (At & {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    })
  | (At & {
      readonly kind: 'call';
      readonly name: string;
      readonly nameAt: TextSpan;
      readonly given: readonly Expression[];
    });

export interface Parameter {
  readonly kind: 'param';
  readonly name: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly at: TextSpan;
}

/** `name = expression`, or with `show` before it. */
export interface Definition {
  readonly kind: 'definition' | 'show';
  readonly name: string;
  readonly nameAt: TextSpan;
  readonly expression: Expression;
}

export type Statement = Parameter | Definition;
