/**
 * Reverse mode on the graph: derivatives of Σ seed · loss by values of every token, as nodes of the same graph. The
 * adjoint of a broadcast is a sum over what read it, that of a sum a broadcast, so derivatives through turns and
 * trajectories are formulas of the same kind. Results of group and batch reductions are held fixed.
 */
import type { Binary, FormulaGraph, FormulaNode, Unary } from './graph';
import { isAbove, type Level, type ReductionLevel } from './levels';

export interface Derivatives {
  /** ∂(Σ seed · loss)/∂(each of `by`), in their order. */
  readonly slopes: readonly FormulaNode[];
  /** Operation to whose derivative a node belongs, for each node that only derivatives need. */
  readonly partOf: ReadonlyMap<FormulaNode, FormulaNode>;
}

export function differentiate(
  graph: FormulaGraph,
  loss: FormulaNode,
  by: readonly FormulaNode[],
  seed: FormulaNode,
): Derivatives {
  return new Reverse(graph).derivatives(loss, by, seed);
}

class Reverse {
  readonly #graph: FormulaGraph;
  /** Terms of a node's adjoint, by the level they came from. */
  readonly #parts = new Map<FormulaNode, Map<Level, FormulaNode>>();
  readonly #partOf = new Map<FormulaNode, FormulaNode>();

  constructor(graph: FormulaGraph) {
    this.#graph = graph;
  }

  derivatives(loss: FormulaNode, by: readonly FormulaNode[], seed: FormulaNode): Derivatives {
    const graph = this.#graph;
    this.#add(loss, 'token', seed);
    // Arguments have smaller numbers than what is made of them, and adjoints make new nodes: the list is fixed first.
    for (const node of graph.nodes.slice(0, loss.id + 1).reverse()) {
      if (!node.active || by.includes(node)) continue;
      const known = graph.nodes.length;
      const adjoint = this.#adjoint(node);
      if (adjoint !== null) this.#propagate(node, adjoint);
      for (const made of graph.nodes.slice(known)) this.#partOf.set(made, node);
    }
    return { slopes: by.map((node) => this.#adjoint(node) ?? graph.constant(0)), partOf: this.#partOf };
  }

  #add(node: FormulaNode, from: Level, part: FormulaNode): void {
    if (!node.active) return;
    const parts = this.#parts.get(node) ?? new Map<Level, FormulaNode>();
    const before = parts.get(from);
    parts.set(from, before === undefined ? part : this.#graph.add(before, part));
    this.#parts.set(node, parts);
  }

  /** Adjoint of a node: the sum of its parts, those of higher levels summed over the nodes that read it. */
  #adjoint(node: FormulaNode): FormulaNode | null {
    const parts = this.#parts.get(node);
    if (parts === undefined) return null;
    const summed = [...parts].map(([from, part]) =>
      isAbove(from, node.level) ? this.#graph.reduce('sum', from, node.level as ReductionLevel, part) : part,
    );
    return summed.reduce((a, b) => this.#graph.add(a, b));
  }

  /** adjoint · slope; 0 where the adjoint is 0 because its branch was not taken, or its tokens have no weight. */
  #times(adjoint: FormulaNode, slope: FormulaNode): FormulaNode {
    return this.#graph.binary(adjoint.gated !== null && !slope.finite ? 'gated' : 'mul', adjoint, slope);
  }

  #propagate(node: FormulaNode, adjoint: FormulaNode): void {
    const [graph, [a, b, c]] = [this.#graph, node.args];
    const zero = graph.constant(0);
    const add = (to: FormulaNode, part: FormulaNode): void => this.#add(to, node.level, part);
    switch (node.op) {
      case 'constant':
      case 'param':
      case 'input':
      case 'given':
      case 'detach':
        return;
      case 'where':
        add(b, graph.where(a, adjoint, zero));
        add(c, graph.where(a, zero, adjoint));
        return;
      case 'reduce':
        this.#reduction(node, adjoint);
        return;
      case 'scan':
        add(a, graph.scan(node.direction === 'later' ? 'earlier' : 'later', adjoint, b));
        return;
      case 'min':
      case 'max': {
        const first = node.op === 'min' ? graph.binary('le', a, b) : graph.binary('le', b, a);
        add(a, graph.where(first, adjoint, zero));
        add(b, graph.where(first, zero, adjoint));
        return;
      }
      default:
        slopes(graph, node as FormulaNode & { op: Unary | Binary }).forEach((slope, i) => {
          if (node.args[i].active) add(node.args[i], this.#times(adjoint, slope()));
        });
    }
  }

  #reduction(node: Extract<FormulaNode, { op: 'reduce' }>, adjoint: FormulaNode): void {
    const graph = this.#graph;
    const [x] = node.args;
    if (node.kind === 'sum') this.#add(x, node.from, adjoint);
    if (node.kind !== 'min' && node.kind !== 'max') return;
    const first = graph.reduce(`first-${node.kind}`, node.from, node.to, x);
    const isFirst = graph.binary('eq', graph.index(node.from as 'token' | 'turn'), first);
    this.#add(x, node.from, graph.where(isFirst, adjoint, graph.constant(0)));
  }
}

/** Derivatives of an operation by its arguments. */
function slopes(graph: FormulaGraph, node: FormulaNode & { op: Unary | Binary }): readonly (() => FormulaNode)[] {
  const [a, b] = node.args;
  const one = graph.constant(1);
  switch (node.op) {
    case 'neg':
      return [() => graph.constant(-1)];
    case 'exp':
      return [() => node];
    case 'log':
      return [() => graph.div(one, a)];
    case 'log1p':
      return [() => graph.div(one, graph.add(one, a))];
    case 'expm1':
      return [() => graph.add(node, one)];
    case 'sqrt':
      return [() => graph.div(graph.constant(0.5), node)];
    case 'abs':
      return [() => graph.unary('sign', a)];
    case 'sigmoid':
      return [() => graph.mul(node, graph.unary('sigmoid', graph.neg(a)))];
    case 'tanh':
      return [() => graph.sub(one, graph.mul(node, node))];
    case 'softplus':
      return [() => graph.unary('sigmoid', a)];
    case 'add':
      return [() => one, () => one];
    case 'sub':
      return [() => one, () => graph.constant(-1)];
    case 'mul':
      return [() => b, () => a];
    case 'div':
      return [() => graph.div(one, b), () => graph.neg(graph.div(node, b))];
    case 'pow':
      return [
        () => graph.mul(b, graph.binary('pow', a, graph.sub(b, one))),
        () => graph.mul(node, graph.unary('log', a)),
      ];
    default:
      return [];
  }
}
