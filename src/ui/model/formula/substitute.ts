/** A formula with numbers in the place of its symbols. */
import { type Formula, operator, row, times } from '../../../foundation/formula';

/** Formulas and the numbers put in their place; the first match counts, so a larger part comes before its own parts. */
export type Values = readonly (readonly [Formula, number])[];

const DIGITS = 4;

export const rounded = (value: number): number => Number(value.toPrecision(DIGITS));

/** A number as a factor: in brackets if negative. */
function numeral(value: number): Formula {
  const number: Formula = { kind: 'number', value: rounded(value) };
  return value < 0 ? row(operator('(', ','), number, operator(')', ',')) : number;
}

const isSame = (a: Formula, b: Formula): boolean => JSON.stringify(a) === JSON.stringify(b);

export function substitute(formula: Formula, values: Values): Formula {
  const known = values.find(([symbol]) => isSame(symbol, formula));
  if (known !== undefined) return numeral(known[1]);
  const put = (part: Formula): Formula => substitute(part, values);
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
 * Formula in pieces between which a line may be broken: after each comma, and before cases, a sum's terms and an equals
 * sign.
 */
export function inPieces(formula: Formula): Formula {
  const pieces: Formula[][] = [[]];
  for (const part of flat(formula)) {
    if (part.kind === 'cases' || (part.kind === 'operator' && !part.prefix && JOINING.includes(part.text)))
      pieces.push([]);
    pieces.at(-1)?.push(part);
    if (part.kind === 'operator' && part.text === ',') pieces.push([]);
  }
  return row(...pieces.map((parts) => row(...parts)));
}

const flat = (formula: Formula): readonly Formula[] =>
  formula.kind === 'row' ? formula.parts.flatMap(flat) : [formula];

/** A product: of symbols without a sign, of numbers with one. The part after a name such as log is its argument. */
function product(before: readonly Formula[], after: readonly Formula[]): Formula[] {
  return after.flatMap((part, at) => {
    const [left, right] = [after[at - 1], part];
    if (left === undefined || !isFactor(left) || !isFactor(right)) return [part];
    const isChanged = left !== before[at - 1] || right !== before[at];
    return isChanged ? [times, part] : [part];
  });
}

const FACTORS: readonly Formula['kind'][] = ['number', 'row', 'fraction', 'power', 'root'];
const isFactor = ({ kind }: Formula): boolean => FACTORS.includes(kind);
