/**
 * The line of a formula that first gave a number that is not finite, in a batch where the loss or a derivative has one: from
 * there back to the first operation all of whose arguments are finite. Of `where` the branch that was taken is followed.
 */
import type { Formula } from './compile';
import { type FormulaNode, needed } from './graph';
import { evaluateTape, type FormulaEvaluation, type Inputs, type Structure } from './tape';

export interface Fault {
  /** Number of the line, from 1. */
  readonly line: number;
  /** The operation in the formula's own words. */
  readonly text: string;
  /** The line's value is not finite, or only its derivative. */
  readonly of: 'value' | 'slope';
}

type Batch = [structure: Structure, inputs: Inputs, parameters: ArrayLike<number>];

/** First place of a value that is not finite; null where the formula is finite everywhere, or its inputs are not. */
export function firstFault(formula: Formula, ...batch: Batch): Fault | null {
  return (
    faultIn(formula, batch[0], evaluateTape(formula, ...batch)) ?? faultIn(formula, batch[0], inSingle(formula, batch))
  );
}

/** Evaluates with every result rounded to float32, as devices do: a number below its range becomes 0. */
function inSingle({ nodes }: Formula, [structure, inputs, parameters]: Batch): FormulaEvaluation {
  const values = new Map<FormulaNode, Float64Array>();
  for (const node of nodes) {
    const { own } = evaluateTape({ nodes: [node] }, structure, inputs, parameters, values);
    values.set(node, Float64Array.from(Float32Array.from(own(node))));
  }
  return evaluateTape({ nodes: [] }, structure, inputs, parameters, values);
}

function faultIn(formula: Formula, structure: Structure, { atTokens }: FormulaEvaluation): Fault | null {
  const { loss, byLogProb, byEntropy } = formula;
  const isBad = (node: FormulaNode, token: number): boolean => !Number.isFinite(Math.fround(atTokens(node)[token]));
  for (const output of [loss, byLogProb, byEntropy]) {
    // The loss of a token without a weight does not matter.
    const counts = (weight: number): boolean => weight !== 0 || output !== loss;
    const token = structure.tokenWeight.findIndex((weight, i) => counts(weight) && isBad(output, i));
    if (token < 0) continue;
    const origin = originOf(output, token);
    const place = placeOf(formula, formula.partOf.get(origin) ?? origin);
    return place === null ? null : { ...place, of: output === loss ? 'value' : 'slope' };
  }
  return null;

  function originOf(node: FormulaNode, token: number): FormulaNode {
    for (const at of tokensBehind(node, token, structure)) {
      const args = node.op === 'where' ? takenFirst(node, at) : node.args;
      const cause = args.find((arg) => isBad(arg, at));
      if (cause !== undefined) return originOf(cause, at);
    }
    return node;
  }

  function takenFirst({ args: [condition, a, b] }: FormulaNode, token: number): FormulaNode[] {
    return [atTokens(condition)[token] !== 0 ? a : b, condition];
  }
}

/** Tokens that an operation reads for its value at a token: of a reduction those of one element. */
function tokensBehind(node: FormulaNode, token: number, structure: Structure): readonly number[] {
  if (node.op !== 'reduce' && node.op !== 'scan') return [token];
  const { tokenTurn, turnTrajectory, trajectoryGroup } = structure;
  const level = node.op === 'scan' ? 'trajectory' : node.to;
  const elementOf = (i: number): number => {
    const [turn, trajectory] = [tokenTurn[i], turnTrajectory[tokenTurn[i]]];
    return { turn, trajectory, group: trajectoryGroup[trajectory], batch: 0 }[level];
  };
  return Array.from(tokenTurn.keys()).filter((i) => elementOf(i) === elementOf(token));
}

/**
 * Place where the operation is first written, by itself or within the smallest part; null for an input, which is
 * written nowhere.
 */
function placeOf({ program, text }: Formula, operation: FormulaNode): Pick<Fault, 'line' | 'text'> | null {
  if (operation.op === 'input') return null;
  // Parts come before the expressions made of them.
  const [written] = [...program.nodes].find(([, node]) => needed([node]).includes(operation)) ?? [];
  const definitions = program.statements.filter((one) => one.kind !== 'param');
  const definition = definitions.findLast(({ nameAt }) => nameAt.from <= (written?.at.from ?? -1));
  if (written === undefined || definition === undefined) return null;
  const line = text.slice(0, definition.nameAt.from).split('\n').length;
  return { line, text: text.slice(written.at.from, written.at.to).replace(/\s+/g, ' ') };
}
