/** A text to what is computed from it: outputs as graph nodes, the nodes they need in order, and what they read. */
import { differentiate } from './differentiate';
import { FormulaError } from './error';
import type { Node } from './graph';
import { LIMITS } from './limits';
import { type Program, programOf } from './program';
import type { Parameter } from './syntax';
import type { InputName } from './vocabulary';

export interface Shown {
  readonly name: string;
  readonly node: Node;
}

export interface Formula {
  readonly text: string;
  readonly program: Program;
  readonly parameters: readonly Parameter[];
  readonly loss: Node;
  /** ∂(Σ weight · loss)/∂logp of each token; reads the weights. */
  readonly byLogProb: Node;
  readonly byEntropy: Node;
  readonly shown: readonly Shown[];
  /** Every node that an output needs, arguments first. */
  readonly nodes: readonly Node[];
  readonly reads: ReadonlySet<InputName>;
  /** Group or batch values read the running policy: all log-probs are needed before any token's loss. */
  readonly needsScores: boolean;
}

const isOperation = ({ op }: Node): boolean => op !== 'constant' && op !== 'param' && op !== 'input';

/** Throws FormulaError. */
export function compile(text: string): Formula {
  const program = programOf(text);
  const { graph, loss, shown, named, parameters } = program;
  const written = needed([...named.map(({ node }) => node)]).filter(isOperation).length;
  if (written > LIMITS.operations) {
    const what = `The formula has ${written} operations, of at most ${LIMITS.operations}.`;
    throw new FormulaError(text, { from: 0, to: text.length }, what, 'Write a shorter one.');
  }
  const { byLogProb, byEntropy } = differentiate(graph, loss);
  const nodes = needed([loss, byLogProb, byEntropy, ...shown.map(({ node }) => node)]);
  const reads = new Set(nodes.flatMap((node) => (node.op === 'input' && isBatchInput(node.name) ? [node.name] : [])));
  const needsScores = nodes.some(
    (node) => node.op === 'reduce' && (node.to === 'group' || node.to === 'batch') && node.running,
  );
  return { text, program, parameters, loss, byLogProb, byEntropy, shown, nodes, reads, needsScores };
}

const isBatchInput = (name: InputName | 'weight' | 'index'): name is InputName => name !== 'weight' && name !== 'index';

/** The nodes that these need, in an order in which arguments come first. */
export function needed(outputs: readonly Node[]): readonly Node[] {
  const found = new Set<Node>();
  const open = [...outputs];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    open.push(...node.args);
  }
  return [...found].sort((a, b) => a.id - b.id);
}
