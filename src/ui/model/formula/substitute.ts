/** A formula with numbers in the place of its symbols. */
import { type Notation, operator, row, times } from '../../../foundation/notation';

/** Formulas and the numbers put in their place; the first match counts, so a larger part comes before its own parts. */
export type Values = readonly (readonly [Notation, number])[];

const DIGITS = 4;

export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** A number as a factor: in brackets if negative. */
function numeral(value: number): Notation {
  const number: Notation = { kind: 'number', value: rounded(value) };
  return value < 0 ? row(operator('(', ','), number, operator(')', ',')) : number;
}

const isSame = (a: Notation, b: Notation): boolean => JSON.stringify(a) === JSON.stringify(b);

export function substitute(formula: Notation, values: Values): Notation {
  const known = values.find(([symbol]) => isSame(symbol, formula));
  if (known !== undefined) return numeral(known[1]);
  const put = (part: Notation): Notation => substitute(part, values);
  switch (formula.kind) {
    case 'row':
      return row(...product(formula.parts, formula.parts.map(put)));
    case 'under':
      return { ...formula, base: put(formula.base) };
    case 'index':
      return { ...formula, base: put(formula.base) };
    case 'power':
      return { ...formula, base: put(formula.base), power: put(formula.power) };
    case 'fraction':
      return { ...formula, over: put(formula.over), under: put(formula.under) };
    case 'root':
      return { ...formula, of: put(formula.of) };
    case 'cases':
      return {
        ...formula,
        rows: formula.rows.map(({ value, condition }) => ({
          value: put(value),
          condition: condition === null ? null : put(condition),
        })),
      };
    default:
      return formula;
  }
}

const JOINING: readonly string[] = ['=', '+', '−'];

/**
 * Notation in pieces between which a line may be broken: after each comma, and before cases, a sum's terms and an equals
 * sign.
 */
export function inPieces(formula: Notation): Notation {
  const pieces: Notation[][] = [[]];
  for (const part of flat(formula)) {
    if (part.kind === 'cases' || (part.kind === 'operator' && !part.prefix && JOINING.includes(part.text)))
      pieces.push([]);
    pieces.at(-1)?.push(part);
    if (part.kind === 'operator' && part.text === ',') pieces.push([]);
  }
  return row(...pieces.map((parts) => row(...parts)));
}

const flat = (formula: Notation): readonly Notation[] =>
  formula.kind === 'row' ? formula.parts.flatMap(flat) : [formula];

/** A product: of symbols without a sign, of numbers with one. The part after a name such as log is its argument. */
function product(before: readonly Notation[], after: readonly Notation[]): Notation[] {
  return after.flatMap((part, at) => {
    const [left, right] = [after[at - 1], part];
    if (left === undefined || !isFactor(left) || !isFactor(right)) return [part];
    const isChanged = left !== before[at - 1] || right !== before[at];
    return isChanged ? [times, part] : [part];
  });
}

const FACTORS: readonly Notation['kind'][] = ['number', 'row', 'fraction', 'power', 'root'];
const isFactor = ({ kind }: Notation): boolean => FACTORS.includes(kind);
