/**
 * A text's lines as formulas that are drawn and read aloud: fractions, powers, Greek letters, cases for what depends on a
 * condition, reductions with the set they run over, sg for what is held fixed.
 */
import {
  brackets,
  call,
  equals,
  fraction,
  index,
  letter,
  minus,
  type Notation,
  negative,
  operator,
  over,
  plus,
  power,
  root,
  row,
  symbol,
  times,
  words,
} from '../foundation/notation';
import type { Level } from './levels';
import type { FormulaProgram } from './program';
import { isApplied, symbolOf } from './symbols';
import type { ComparisonSign, Definition, Expression } from './syntax';
import { reductionOf } from './vocabulary';

/** Number to write in the place of a part of the text, or null where its formula stays. */
export type NumberOf = (expression: Expression) => number | null;

/** The lines that define or show something, with numbers in the place of the parameters that have one. */
export function notationOf(
  program: FormulaProgram,
  values: Readonly<Record<string, number>> = {},
): readonly Notation[] {
  const isParameter = new Set(program.parameters.map(({ name }) => name));
  const number: NumberOf = (one) =>
    one.kind === 'name' && isParameter.has(one.name) && Object.hasOwn(values, one.name) ? values[one.name] : null;
  return program.statements
    .filter((one) => one.kind !== 'param')
    .map((one: Definition) => row(symbolOf(one.name), equals, write(program, one.expression, number)));
}

/** Notation of one expression of a program. numberOf: the value to show for a name, or null to show the name. */
export function write(program: FormulaProgram, expression: Expression, numberOf: NumberOf): Notation {
  return new Writer(program, numberOf).written(expression).formula;
}

/** Binding strength of each kind: the smaller, the sooner brackets are needed. */
const HOLDS = {
  choice: 0,
  either: 1,
  both: 2,
  not: 3,
  comparison: 4,
  sum: 5,
  sign: 6,
  product: 7,
  applied: 8,
  power: 9,
  atom: 10,
};

interface Written {
  readonly formula: Notation;
  readonly holds: number;
}

const SIGNS: Readonly<Record<ComparisonSign, Notation>> = {
  '<': operator('<', 'is less than'),
  '<=': operator('≤', 'is at most'),
  '>': operator('>', 'is more than'),
  '>=': operator('≥', 'is at least'),
  '==': operator('=', 'is'),
  '!=': operator('≠', 'is not'),
};

/** Names of functions that are no words. */
const FUNCTION_SYMBOLS: Readonly<Record<string, Notation>> = { sigmoid: symbol('σ', 'sigmoid') };

const PLURAL: Readonly<Record<Level, string>> = {
  constant: 'constants',
  batch: 'batches',
  group: 'groups',
  trajectory: 'trajectories',
  turn: 'turns',
  token: 'tokens',
};

class Writer {
  readonly #program: FormulaProgram;
  readonly #numberOf: NumberOf;

  constructor(program: FormulaProgram, numberOf: NumberOf) {
    this.#program = program;
    this.#numberOf = numberOf;
  }

  written(expression: Expression): Written {
    const number = this.#numberOf(expression);
    if (number !== null)
      return { formula: { kind: 'number', value: number }, holds: number < 0 ? HOLDS.sign : HOLDS.atom };
    switch (expression.kind) {
      case 'number':
        return { formula: { kind: 'number', value: expression.value }, holds: HOLDS.atom };
      case 'name': {
        const formula = symbolOf(expression.name);
        return { formula, holds: isApplied(formula) ? HOLDS.applied : HOLDS.atom };
      }
      case 'minus':
        return { formula: row(negative, this.#within(expression.of, HOLDS.product)), holds: HOLDS.sign };
      case 'not':
        return { formula: row(words('not'), this.#within(expression.of, HOLDS.not)), holds: HOLDS.not };
      case 'both':
      case 'either': {
        const word = words(expression.kind === 'both' ? 'and' : 'or');
        const holds = HOLDS[expression.kind];
        return {
          formula: row(this.#within(expression.left, holds), word, this.#within(expression.right, holds + 1)),
          holds,
        };
      }
      case 'comparison': {
        const [a, b] = [expression.left, expression.right].map((one) => this.#within(one, HOLDS.sum));
        return { formula: row(a, SIGNS[expression.sign], b), holds: HOLDS.comparison };
      }
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'choice':
        return this.#cases(expression.condition, expression.then, expression.otherwise);
      case 'call':
        return this.#call(expression);
    }
  }

  #within(expression: Expression, least: number): Notation {
    const { formula, holds } = this.written(expression);
    return holds < least ? row(operator('(', 'open bracket'), formula, operator(')', 'close bracket')) : formula;
  }

  #arithmetic({ sign, left, right }: Extract<Expression, { kind: 'arithmetic' }>): Written {
    switch (sign) {
      case '+':
      case '-': {
        const parts = [this.#within(left, HOLDS.sum), sign === '+' ? plus : minus, this.#within(right, HOLDS.product)];
        return { formula: row(...parts), holds: HOLDS.sum };
      }
      case '*': {
        // A sign in front of the first factor is that of the product.
        const first = this.written(left);
        const isBare = first.holds === HOLDS.sign || first.holds === HOLDS.product || first.holds > HOLDS.applied;
        const formula = row(
          isBare ? first.formula : this.#within(left, HOLDS.atom),
          times,
          this.#within(right, HOLDS.applied),
        );
        return { formula, holds: first.holds === HOLDS.sign ? HOLDS.sign : HOLDS.product };
      }
      case '/':
        return { formula: fraction(this.written(left).formula, this.written(right).formula), holds: HOLDS.power };
      case '**':
        return { formula: power(this.#within(left, HOLDS.atom), this.written(right).formula), holds: HOLDS.power };
    }
  }

  /** Choices in the last branch are further cases. */
  #cases(condition: Expression, then: Expression, otherwise: Expression): Written {
    const rows: { value: Notation; condition: Notation | null }[] = [];
    let rest: readonly [Expression, Expression, Expression] | null = [condition, then, otherwise];
    while (rest !== null) {
      const [when, value, last]: readonly [Expression, Expression, Expression] = rest;
      rows.push({ value: this.written(value).formula, condition: this.written(when).formula });
      rest = this.#numberOf(last) === null ? choiceOf(last) : null;
      if (rest === null) rows.push({ value: this.written(last).formula, condition: null });
    }
    return { formula: { kind: 'cases', rows }, holds: HOLDS.choice };
  }

  #call(expression: Extract<Expression, { kind: 'call' }>): Written {
    const { name, given } = expression;
    const reduction = reductionOf(name);
    if (reduction !== null) {
      const from = this.#program.nodes.get(given[0])?.level ?? 'token';
      const set = `${PLURAL[from]} of the ${reduction.to}`;
      if (reduction.kind === 'count') return { formula: index(letter('n'), words(set)), holds: HOLDS.atom };
      const base = reduction.kind === 'sum' ? operator('∑', 'the sum') : words(reduction.kind);
      return { formula: row(over(base, set), this.#within(given[0], HOLDS.sign)), holds: HOLDS.applied };
    }
    if (name === 'to_go') {
      const [x, gamma] = [this.#within(given[0], HOLDS.product), this.#within(given[1], HOLDS.atom)];
      const sum = over(operator('∑', 'the sum'), 'turns k later, k ≥ 0');
      return { formula: row(sum, power(gamma, 'k'), times, x), holds: HOLDS.applied };
    }
    if (name === 'where') return this.#cases(given[0], given[1], given[2]);
    const [x, ...rest] = given.map((one) => this.written(one).formula);
    switch (name) {
      case 'sqrt':
        return { formula: root(x), holds: HOLDS.atom };
      case 'abs':
        return { formula: row(operator('|', 'the magnitude of'), x, operator('|', ',')), holds: HOLDS.atom };
      case 'detach':
        return { formula: row(symbol('sg', 'held fixed'), brackets(x)), holds: HOLDS.atom };
      case 'log1p':
        return { formula: call('log', row(1, plus, this.#within(given[0], HOLDS.sum))), holds: HOLDS.atom };
      case 'expm1':
        return { formula: row(call('exp', x), minus, 1), holds: HOLDS.sum };
      default:
        return { formula: call(FUNCTION_SYMBOLS[name] ?? name, x, ...rest), holds: HOLDS.atom };
    }
  }
}

function choiceOf(expression: Expression): readonly [Expression, Expression, Expression] | null {
  if (expression.kind === 'choice') return [expression.condition, expression.then, expression.otherwise];
  if (expression.kind !== 'call' || expression.name !== 'where') return null;
  const [condition, then, otherwise] = expression.given;
  return [condition, then, otherwise];
}
