/** A text of the lab's own as the page writes it: what is maximised, the lines above it, numbers in the place of parameters. */
import { formulaOf } from '../../../experiment/arm/ownLosses';
import { type NumberOf, write } from '../../../formula/notation';
import { symbolOf } from '../../../formula/symbols';
import type { Definition, Expression } from '../../../formula/syntax';
import { equals, type Notation, operator, row } from '../../../foundation/notation';

/** 1 − 0.2 is 0.8, not 0.8000000000000000444. */
const tidy = (value: number): number => Number(value.toPrecision(12));

function read(text: string) {
  const { program, parameters } = formulaOf(text);
  const values = new Map(parameters.map(({ name, default: value }) => [name, value]));
  /** Value of a number, a parameter, or a sum or difference of them; null for all else. */
  const numberOf: NumberOf = (one) => {
    if (one.kind === 'number') return one.value;
    if (one.kind === 'name') return values.get(one.name) ?? null;
    if (one.kind !== 'arithmetic' || (one.sign !== '+' && one.sign !== '-')) return null;
    const [a, b] = [numberOf(one.left), numberOf(one.right)];
    return a === null || b === null ? null : tidy(one.sign === '+' ? a + b : a - b);
  };
  const lines = program.statements.filter((one): one is Definition => one.kind === 'definition');
  const loss = lines.find(({ name }) => name === 'loss');
  if (loss === undefined) throw new RangeError('A text of the lab says what is minimised.');
  return { lines, loss: loss.expression, written: (one: Expression): Notation => write(program, one, numberOf) };
}

/** The loss, in brackets where its sign comes first. */
export function minimised(text: string): Notation {
  const { loss, written } = read(text);
  const [open, close] = [operator('(', ','), operator(')', ',')];
  return loss.kind === 'minus' ? row(open, written(loss), close) : written(loss);
}

/** −loss. */
export function maximised(text: string): Notation {
  const { loss, written } = read(text);
  return written(negated(loss));
}

/** Lines above the loss. */
export function linesOf(text: string): readonly Notation[] {
  const { lines, written } = read(text);
  return lines
    .filter(({ name }) => name !== 'loss')
    .map(({ name, expression }) => row(symbolOf(name), equals, written(expression)));
}

/** −x, its sign taken in as far as there is one to drop. */
function negated(x: Expression): Expression {
  const { at } = x;
  switch (x.kind) {
    case 'minus':
      return x.of;
    case 'choice': {
      const given = [x.condition, negated(x.then), negated(x.otherwise)];
      return { kind: 'call', name: 'where', nameAt: at, given, at };
    }
    case 'call': {
      if (x.name !== 'where') return { kind: 'minus', of: x, at };
      const [condition, ...branches] = x.given;
      return { ...x, given: condition === undefined ? [] : [condition, ...branches.map(negated)] };
    }
    case 'arithmetic': {
      const sign = x.sign === '+' ? '-' : x.sign === '-' ? '+' : x.sign;
      return { ...x, sign, left: negated(x.left) };
    }
    default:
      return x.kind === 'number' && x.value === 0 ? x : { kind: 'minus', of: x, at };
  }
}
