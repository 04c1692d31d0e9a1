/** Proportionality of a loss to the advantage, read off its operations: c · A gives c · loss for every c > 0. */
import type { FormulaNode } from '../graph';

/** Power of A that a value grows with; 'any' is a plain 0, 'none' a sum of several powers. */
type Degree = number | 'any' | 'none';

export function isProportionalToAdvantage(loss: FormulaNode): boolean {
  return new Degrees().of(loss) === 1;
}

class Degrees {
  readonly #known = new Map<FormulaNode, Degree>();

  of(node: FormulaNode): Degree {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const degree = this.#found(node);
    this.#known.set(node, degree);
    return degree;
  }

  #found(node: FormulaNode): Degree {
    const degrees = node.args.map((arg) => this.of(arg));
    const [a, b] = degrees;
    switch (node.op) {
      case 'constant':
        return node.value === 0 ? 'any' : 0;
      case 'param':
        return 0;
      case 'input':
        return node.name === 'advantage' ? 1 : 0;
      case 'neg':
      case 'abs':
      case 'detach':
        return a;
      case 'reduce':
        return node.kind.startsWith('first') ? 0 : a;
      case 'scan':
        return a;
      case 'not':
      case 'sign':
        return a === 'none' ? 'none' : 0;
      case 'sqrt':
        return typeof a === 'number' ? a / 2 : a;
      case 'mul':
      case 'gated':
        return product(a, b, 1);
      case 'div':
        return product(a, b, -1);
      case 'where':
        return degrees[0] === 0 || degrees[0] === 'any' ? common(b, degrees[2]) : 'none';
      case 'add':
      case 'sub':
      case 'min':
      case 'max':
        return common(a, b);
      case 'lt':
      case 'le':
      case 'eq':
        return common(a, b) === 'none' ? 'none' : 0;
      default:
        return degrees.every((one) => one === 0 || one === 'any') ? 0 : 'none';
    }
  }
}

function common(a: Degree, b: Degree): Degree {
  if (a === 'any') return b;
  return b === 'any' || a === b ? a : 'none';
}

function product(a: Degree, b: Degree, sign: 1 | -1): Degree {
  if (a === 'none' || b === 'none') return 'none';
  if (a === 'any') return 'any';
  return b === 'any' ? (sign === 1 ? 'any' : 'none') : a + sign * b;
}
