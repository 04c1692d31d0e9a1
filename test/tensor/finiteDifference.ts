/**
 * Gradients by central finite differences in float64. A check runs a forward program with one loss a member, moves every
 * element of an input by ±h, and compares (loss₊ − loss₋)/2h with the gradient of the backward program. All members are
 * moved at once, and each has its own loss, so a gradient that leaks between members fails.
 */
import { expect } from 'vitest';
import type { Program, Tensor } from '../../src/tensor/backend';
import type { ReferenceBackend } from '../../src/tensor/reference/backend';

/** Step h. For functions of unit size truncation is h²·f‴/6 ≈ 1e-10 and cancellation 1e-16/h ≈ 1e-11. */
const STEP = 1e-5;
const ATOL = 2e-8;
const RTOL = 1e-6;

export interface GradientCheck {
  readonly backend: ReferenceBackend;
  readonly members: number;
  readonly forward: Program;
  /** Losses from what `forward` wrote, one number a member. */
  readonly losses: () => Promise<readonly number[]>;
  /** Program that writes all gradients; runs after `forward`. */
  readonly backward: Program;
  readonly inputs: readonly {
    readonly tensor: Tensor<'f32'>;
    readonly gradient: Tensor<'f32'>;
    /** True for elements of member p that are inputs of its loss; all by default. */
    readonly checked?: (p: number, element: number) => boolean;
    /** Which element of which member that is, in words, for a failure to name; its indices stand before. */
    readonly place?: (p: number, element: number) => string;
  }[];
}

/** Loss of a single operation: Σ weight·value for each member, over the elements that have a weight. */
export function weightedSum(values: ArrayLike<number>, weights: ArrayLike<number>, members: number): readonly number[] {
  const stride = values.length / members;
  return Array.from({ length: members }, (_, p) => {
    let sum = 0;
    for (let i = p * stride; i < (p + 1) * stride; i++) {
      const weight = weights[i] as number;
      if (!Number.isNaN(weight)) sum += weight * (values[i] as number);
    }
    return sum;
  });
}

export async function checkGradients(check: GradientCheck): Promise<void> {
  const { backend, members, forward, backward, losses, inputs } = check;
  const before = await backend.read(...inputs.map(({ tensor }) => tensor));
  backend.run(forward, backward);
  const gradients = await backend.read(...inputs.map(({ gradient }) => gradient));
  for (const [which, { tensor, gradient, checked = () => true, place = () => '' }] of inputs.entries()) {
    const original = before[which] as Float64Array;
    const { stride } = tensor;
    const own = Array.from({ length: members }, (_, p) => p);
    const wrong: string[] = [];
    let count = 0;
    for (let i = 0; i < stride; i++) {
      const moved = own.filter((p) => checked(p, i));
      if (moved.length === 0) continue;
      const at = async (direction: number): Promise<readonly number[]> => {
        const values = original.slice();
        for (const p of moved) values[p * stride + i] = (values[p * stride + i] as number) + direction * STEP;
        backend.write(tensor, values);
        backend.run(forward);
        return losses();
      };
      const [above, below] = [await at(1), await at(-1)];
      for (const p of moved) {
        const expected = ((above[p] as number) - (below[p] as number)) / (2 * STEP);
        const got = gradients[which]?.[p * stride + i] as number;
        count++;
        if (!(Math.abs(got - expected) <= ATOL + RTOL * Math.abs(expected))) {
          const words = place(p, i);
          wrong.push(`${gradient.label}[${p}, ${i}] is ${got}, by differences ${expected}${words && ` (${words})`}`);
        }
      }
    }
    backend.write(tensor, original);
    expect(count, `elements of ${tensor.label} checked`).toBeGreaterThan(0);
    expect(wrong.slice(0, 10), `${wrong.length} of ${count} elements of ${gradient.label}`).toEqual([]);
  }
}
