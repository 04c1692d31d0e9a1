/** A text line by line for one token: the value of each line there, and its numbers. */
import type { Notation } from '../foundation/notation';
import type { Formula } from './compile';
import { type FormulaGraph, type FormulaNode, needed } from './graph';
import type { Level } from './levels';
import { write } from './notation';
import type { Definition, Expression } from './syntax';
import { evaluateTape, type Inputs, type Structure } from './tape';
import { isRunInput, reductionOf } from './vocabulary';

/** A value made of several: a reduction or to_go. */
export interface Gathered {
  /** The line as the text has it, and its value. */
  readonly text: string;
  readonly value: number;
  /** Number of elements of this level. */
  readonly count: number;
  readonly of: Level;
}

export interface FormulaStep {
  readonly kind: 'definition' | 'show';
  readonly name: string;
  readonly level: Level;
  readonly value: number;
  /** Right side of the line with the token's numbers in the place of its names and reductions. */
  readonly put: Notation;
  readonly gathered: readonly Gathered[];
}

/** Digits that a number keeps among others. */
const DIGITS = 4;

/**
 * token: its place among the structure's tokens. Lines that read what was not given (they are neither part of the loss nor
 * shown) are left out.
 */
export function stepsOf(
  formula: Formula,
  structure: Structure,
  inputs: Inputs,
  parameters: ArrayLike<number>,
  token: number,
): readonly FormulaStep[] {
  const { program } = formula;
  const lines = program.statements.filter((one): one is Definition => one.kind !== 'param');
  const known = lines.filter((line) => !readsUngiven(nodeOf(formula, line.expression), inputs));
  const gathered = known.map((line) => gatheredIn(line.expression));
  const counts = new Map(gathered.flat().map((one) => [one, countNode(formula, one)]));
  const nodes = needed([
    ...known.flatMap((line) => partsOf(line.expression)).map((one) => nodeOf(formula, one)),
    ...counts.values(),
  ]);
  const { atTokens } = evaluateTape({ nodes }, structure, inputs, parameters);
  const at = (node: FormulaNode): number => atTokens(node)[token];
  const numberOf = (one: Expression): number | null => {
    const isNumber = one.kind === 'name' || isGathered(one);
    return isNumber ? Number(at(nodeOf(formula, one)).toPrecision(DIGITS)) : null;
  };
  return known.map((line, i) => ({
    kind: line.kind,
    name: line.name,
    level: nodeOf(formula, line.expression).level,
    value: at(nodeOf(formula, line.expression)),
    put: write(program, line.expression, numberOf),
    gathered: gathered[i].map((one) => ({
      text: program.text.slice(one.at.from, one.at.to),
      value: at(nodeOf(formula, one)),
      count: at(counts.get(one) as FormulaNode),
      of: elementsOf(formula, one),
    })),
  }));
}

type Call = Extract<Expression, { kind: 'call' }>;

const isGathered = (expression: Expression): expression is Call =>
  expression.kind === 'call' && (expression.name === 'to_go' || reductionOf(expression.name) !== null);

const nodeOf = ({ program }: Formula, expression: Expression): FormulaNode =>
  program.nodes.get(expression) as FormulaNode;

/** Outermost reductions and scans in an expression: the parts within one have many values. */
function gatheredIn(expression: Expression): readonly Call[] {
  return isGathered(expression) ? [expression] : childrenOf(expression).flatMap(gatheredIn);
}

/** Parts whose values are looked up: none within a reduction or scan. */
function partsOf(expression: Expression): readonly Expression[] {
  return [expression, ...(isGathered(expression) ? [] : childrenOf(expression).flatMap(partsOf))];
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'number':
    case 'name':
      return [];
    case 'minus':
    case 'not':
      return [expression.of];
    case 'choice':
      return [expression.condition, expression.then, expression.otherwise];
    case 'call':
      return expression.given;
    default:
      return [expression.left, expression.right];
  }
}

function readsUngiven(node: FormulaNode, inputs: Inputs): boolean {
  return needed([node]).some(
    (one) =>
      one.op === 'input' &&
      one.name !== 'weight' &&
      one.name !== 'index' &&
      !isRunInput(one.name) &&
      inputs[one.name] === undefined,
  );
}

const elementsOf = (formula: Formula, one: Call): Level =>
  one.name === 'to_go' ? 'turn' : nodeOf(formula, one.given[0]).level;

/** Number of elements that a value is made of, as a value of the formula's own graph. */
function countNode(formula: Formula, one: Call): FormulaNode {
  const graph: FormulaGraph = formula.program.graph;
  const reduction = reductionOf(one.name);
  if (reduction !== null) return graph.count(elementsOf(formula, one), reduction.to);
  return graph.scan('later', graph.constant(1), graph.constant(1));
}
