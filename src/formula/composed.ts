/** Operators, functions and reductions of the language, composed of the few operations that a graph has. */
import type { Graph, Node } from './graph';
import type { Target } from './levels';
import type { Arithmetic, Comparison } from './syntax';
import type { FunctionName, Reduction } from './vocabulary';

export function comparisonOf(graph: Graph, sign: Comparison, a: Node, b: Node): Node {
  switch (sign) {
    case '<':
      return graph.binary('lt', a, b);
    case '<=':
      return graph.binary('le', a, b);
    case '>':
      return graph.binary('lt', b, a);
    case '>=':
      return graph.binary('le', b, a);
    case '==':
      return graph.binary('eq', a, b);
    case '!=':
      return graph.unary('not', graph.binary('eq', a, b));
  }
}

export function arithmeticOf(graph: Graph, sign: Arithmetic, a: Node, b: Node): Node {
  switch (sign) {
    case '+':
      return graph.add(a, b);
    case '-':
      return graph.sub(a, b);
    case '*':
      return graph.mul(a, b);
    case '/':
      return graph.div(a, b);
    case '**':
      return powerOf(graph, a, b);
  }
}

/** The whole numbers whose power is written as products. */
const WHOLE_POWER = 64;

function powerOf(graph: Graph, base: Node, exponent: Node): Node {
  if (exponent.op !== 'constant') return graph.binary('pow', base, exponent);
  const n = exponent.value;
  if (n === 0.5) return graph.unary('sqrt', base);
  if (!Number.isInteger(n) || Math.abs(n) > WHOLE_POWER) return graph.binary('pow', base, exponent);
  const product = wholePower(graph, base, Math.abs(n));
  return n < 0 ? graph.div(graph.constant(1), product) : product;
}

/** Whole power by squaring: at most 2·log₂ n products. */
function wholePower(graph: Graph, base: Node, n: number): Node {
  if (n === 0) return graph.constant(1);
  const half = wholePower(graph, base, Math.floor(n / 2));
  const even = n === 1 ? half : graph.mul(half, half);
  return n % 2 === 1 ? graph.mul(even, base) : even;
}

/** A function of as many nodes as it takes. */
export function callOf(graph: Graph, name: FunctionName, nodes: readonly Node[]): Node {
  const [x, y, z] = nodes;
  switch (name) {
    case 'min':
    case 'max':
      return nodes.reduce((a, b) => graph.binary(name, a, b));
    case 'clip':
      return graph.binary('min', graph.binary('max', x, y), z);
    case 'where':
      return graph.where(x, y, z);
    case 'detach':
      return graph.detach(x);
    case 'relu':
      return graph.where(graph.binary('le', x, graph.constant(0)), graph.constant(0), x);
    default:
      return graph.unary(name, x);
  }
}

/** Means and deviations are made of sums; what is reduced counts once for each element of its own level, which is below `to`. */
export function reductionTo(graph: Graph, kind: Reduction, to: Target, x: Node): Node {
  const count = graph.count(x.level, to);
  const sum = (of: Node): Node => graph.reduce('sum', x.level, to, of);
  const atLeast = (least: number): Node => graph.binary('max', graph.constant(least), count);
  switch (kind) {
    case 'sum':
      return sum(x);
    case 'count':
      return count;
    case 'mean':
      return graph.div(sum(x), atLeast(1));
    case 'min':
    case 'max':
      return graph.reduce(kind, x.level, to, x);
    case 'std': {
      const off = graph.sub(x, graph.div(sum(x), atLeast(1)));
      const variance = graph.div(sum(graph.mul(off, off)), graph.sub(atLeast(2), graph.constant(1)));
      // The slope of the root at 0 is infinite: there the deviation is held at 0.
      const isSpread = graph.binary('lt', graph.constant(0), variance);
      return graph.where(isSpread, graph.unary('sqrt', variance), graph.constant(0));
    }
  }
}
