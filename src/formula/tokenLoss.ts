/**
 * A text of one token's loss as a part of a kernel, which hands over what the text reads. No reductions: a token knows
 * nothing of the others. Derivatives are those of the loss alone; weights are the kernel's.
 */
import { differentiate } from './differentiate';
import { apply, choose } from './elementwise';
import { type FormulaNode, needed } from './graph';
import { type FormulaProgram, programOf } from './program';
import { isInput } from './vocabulary';

export interface TokenLoss {
  readonly program: FormulaProgram;
  /** `loss`, what is shown, and `by NAME` for each derivative. */
  readonly outputs: ReadonlyMap<string, FormulaNode>;
  /** Every node that an output needs, arguments first. */
  readonly nodes: readonly FormulaNode[];
}

/** `by`: the names that a derivative is taken by; `given`: names without one that the language does not have. */
export function tokenLoss(text: string, by: readonly string[], given: readonly string[] = []): TokenLoss {
  const active = by.filter((name) => !isInput(name)).map((name) => [name, true] as const);
  const program = programOf(text, Object.fromEntries([...active, ...given.map((name) => [name, false] as const)]));
  const { graph, loss, shown } = program;
  const sources = by.map((name) => (isInput(name) ? graph.input(name) : graph.given(name, true)));
  const { slopes } = differentiate(graph, loss, sources, graph.constant(1));
  const outputs = new Map([
    ['loss', loss],
    ...slopes.map((slope, i) => [`by ${by[i]}`, slope] as const),
    ...shown.map(({ name, node }) => [name, node] as const),
  ]);
  return { program, outputs, nodes: needed([...outputs.values()]) };
}

/** Outputs of the first `count` tokens by name, until the next call; inputs and parameters by the text's names. */
export type Evaluate = (
  count: number,
  inputs: Readonly<Record<string, Float64Array>>,
  parameters: Readonly<Record<string, number>>,
) => (output: string) => Float64Array;

/** Evaluator in doubles, operation by operation; it reuses its arrays in the next call. */
export function tokenEvaluator({ program, outputs, nodes }: TokenLoss): Evaluate {
  const place = new Map(nodes.map((node, i) => [node, i]));
  const steps = nodes.map((node, at) => ({ node, at, args: node.args.map((arg) => place.get(arg) as number) }));
  const values: Float64Array[] = nodes.map(() => new Float64Array(0));
  let capacity = 0;
  return (count, inputs, parameters) => {
    if (count > capacity) {
      capacity = 2 * count;
      for (const { node, at } of steps) values[at] = new Float64Array(capacity).fill(constantOf(node));
    }
    for (const { node, at, args } of steps) {
      const [a, b = a, c = a] = args;
      switch (node.op) {
        case 'constant':
          break;
        case 'param':
          values[at][0] = parameters[program.parameters[node.index].name];
          break;
        case 'input':
        case 'given':
          values[at] = inputs[node.name];
          break;
        case 'detach':
          values[at] = values[a];
          break;
        case 'where':
          choose(values[at], values[a], values[b], values[c], count);
          break;
        case 'reduce':
        case 'scan':
          throw new RangeError(`A token's loss has no ${node.op}.`);
        default:
          apply(node.op, values[at], values[a], values[b], node.level === 'constant' ? 1 : count);
      }
      // One number for all tokens.
      if (node.level === 'constant' && node.op !== 'constant') values[at].fill(values[at][0], 0, count);
    }
    return (output) => values[place.get(outputs.get(output) as FormulaNode) as number];
  };
}

const constantOf = (node: FormulaNode): number => (node.op === 'constant' ? node.value : 0);
