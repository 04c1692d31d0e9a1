/** Compilation of a text: outputs as graph nodes, the nodes they need in order, and their inputs. */
import { type Derivatives, differentiate } from './differentiate';
import { FormulaError } from './error';
import { type FormulaNode, needed } from './graph';
import { FORMULA_LIMITS } from './limits';
import { type FormulaProgram, programOf } from './program';
import { isHeld, type Schedule, scheduleOf } from './schedule';
import type { Parameter } from './syntax';
import type { InputName } from './vocabulary';

export interface Shown {
  readonly name: string;
  readonly node: FormulaNode;
}

export interface Formula extends Pick<Derivatives, 'partOf'> {
  readonly text: string;
  readonly program: FormulaProgram;
  readonly parameters: readonly Parameter[];
  readonly loss: FormulaNode;
  /** ∂(Σ weight · loss)/∂logp of each token; reads the weights. */
  readonly byLogProb: FormulaNode;
  readonly byEntropy: FormulaNode;
  readonly shown: readonly Shown[];
  /** Every node that an output needs, arguments first. */
  readonly nodes: readonly FormulaNode[];
  readonly reads: ReadonlySet<InputName>;
  /** Order in which reductions are computed. */
  readonly schedule: Schedule;
  /** Group or batch values read the running policy: they are computed again before each inner step. */
  readonly heldEachStep: boolean;
  /** True if a scoring pass goes before: an input exists only after it, or held values follow the running policy. */
  readonly needsScores: boolean;
}

const isOperation = ({ op }: FormulaNode): boolean => op !== 'constant' && op !== 'param' && op !== 'input';

/** Formula of a text. Throws FormulaError. */
export function compile(text: string): Formula {
  const program = programOf(text);
  const { graph, loss, shown, named, parameters } = program;
  const written = needed([...named.map(({ node }) => node)]).filter(isOperation).length;
  if (written > FORMULA_LIMITS.operations) {
    const what = `The formula has ${written} operations, of at most ${FORMULA_LIMITS.operations}.`;
    throw new FormulaError(text, { from: 0, to: text.length }, what, 'Write a shorter one.');
  }
  const by = [graph.input('logp'), graph.input('entropy')];
  const { slopes, partOf } = differentiate(graph, loss, by, graph.weight());
  const [byLogProb, byEntropy] = slopes;
  const outputs = [loss, byLogProb, byEntropy, ...shown.map(({ node }) => node)];
  const nodes = needed(outputs);
  const reads = new Set(nodes.flatMap((node) => (node.op === 'input' && isBatchInput(node.name) ? [node.name] : [])));
  const held = nodes.filter(isHeld);
  const heldEachStep = held.some(({ running }) => running);
  const isScored = (node: FormulaNode): boolean => node.op === 'input' && SCORED.includes(node.name);
  return {
    text,
    program,
    parameters,
    loss,
    byLogProb,
    byEntropy,
    partOf,
    shown,
    nodes,
    reads,
    schedule: scheduleOf(outputs),
    heldEachStep,
    needsScores: heldEachStep || needed(held).some(isScored) || reads.has('value'),
  };
}

/** Inputs that the first inner step's own scoring gives; `value` is the critic's at a scoring pass. */
const SCORED: readonly string[] = ['old_logp', 'sampler_logp'] satisfies readonly InputName[];

const isBatchInput = (name: InputName | 'weight' | 'index'): name is InputName => name !== 'weight' && name !== 'index';
