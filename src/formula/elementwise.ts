/**
 * Operations over arrays, number by number. The commonest have a loop of their own: called once a number, an operation
 * takes several times as long.
 */
import { ARITHMETIC, type Binary, type Unary } from './graph';

type Values = Float64Array;

/** out[i] = op(a[i], b[i]) of the first n numbers. */
export function apply(op: Unary | Binary, out: Values, a: Values, b: Values, n: number): void {
  switch (op) {
    case 'add':
      for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
      return;
    case 'sub':
      for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
      return;
    case 'mul':
      for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
      return;
    case 'neg':
      for (let i = 0; i < n; i++) out[i] = -a[i];
      return;
    case 'exp':
      for (let i = 0; i < n; i++) out[i] = Math.exp(a[i]);
      return;
    case 'min':
      for (let i = 0; i < n; i++) out[i] = Math.min(a[i], b[i]);
      return;
    case 'max':
      for (let i = 0; i < n; i++) out[i] = Math.max(a[i], b[i]);
      return;
    case 'lt':
      for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0;
      return;
    case 'le':
      for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0;
      return;
    default: {
      const operation = ARITHMETIC[op];
      for (let i = 0; i < n; i++) out[i] = operation(a[i], b[i]);
    }
  }
}

/** out[i] = a[i] where the condition is not 0, else b[i]. */
export function choose(out: Values, condition: Values, a: Values, b: Values, n: number): void {
  for (let i = 0; i < n; i++) out[i] = condition[i] !== 0 ? a[i] : b[i];
}
