/** Operators, functions and reductions of the language, composed of the few operations that a graph has. */
import type { FormulaGraph, FormulaNode } from './graph';
import type { ReductionLevel } from './levels';
import type { Arithmetic, ComparisonSign } from './syntax';
import type { FunctionName, Reduction } from './vocabulary';

export function comparisonOf(graph: FormulaGraph, sign: ComparisonSign, a: FormulaNode, b: FormulaNode): FormulaNode {
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

export function arithmeticOf(graph: FormulaGraph, sign: Arithmetic, a: FormulaNode, b: FormulaNode): FormulaNode {
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

function powerOf(graph: FormulaGraph, base: FormulaNode, exponent: FormulaNode): FormulaNode {
  if (exponent.op !== 'constant') return graph.binary('pow', base, exponent);
  const n = exponent.value;
  if (n === 0.5) return graph.unary('sqrt', base);
  if (!Number.isInteger(n) || Math.abs(n) > WHOLE_POWER) return graph.binary('pow', base, exponent);
  const product = wholePower(graph, base, Math.abs(n));
  return n < 0 ? graph.div(graph.constant(1), product) : product;
}

/** Whole power by squaring: at most 2·log₂ n products. */
function wholePower(graph: FormulaGraph, base: FormulaNode, n: number): FormulaNode {
  if (n === 0) return graph.constant(1);
  const half = wholePower(graph, base, Math.floor(n / 2));
  const even = n === 1 ? half : graph.mul(half, half);
  return n % 2 === 1 ? graph.mul(even, base) : even;
}

/** A function of as many nodes as it takes. */
export function callOf(graph: FormulaGraph, name: FunctionName, nodes: readonly FormulaNode[]): FormulaNode {
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
export function reductionTo(graph: FormulaGraph, kind: Reduction, to: ReductionLevel, x: FormulaNode): FormulaNode {
  const count = graph.count(x.level, to);
  const sum = (of: FormulaNode): FormulaNode => graph.reduce('sum', x.level, to, of);
  const atLeast = (least: number): FormulaNode => graph.binary('max', graph.constant(least), count);
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
