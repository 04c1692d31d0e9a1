/**
 * Gradients by central finite differences in float64. A check runs a forward program whose result is one loss per member,
 * moves every element of an input by ±h, and compares (loss₊ − loss₋)/2h with what the backward program wrote. All members
 * are moved at once: their losses are apart, so a gradient that leaks between members does not pass.
 */
import { expect } from 'vitest';
import type { Program, Tensor } from '../../src/tensor/backend';
import type { ReferenceBackend } from '../../src/tensor/reference/backend';

/** Truncation is h²·f‴/6 ≈ 1e-10 and cancellation 1e-16/h ≈ 1e-11 for functions of unit size. */
const STEP = 1e-5;
const ATOL = 2e-8;
const RTOL = 1e-6;

export interface GradientCheck {
  readonly backend: ReferenceBackend;
  readonly members: number;
  readonly forward: Program;
  /** One number per member, from what `forward` wrote. */
  readonly losses: () => Promise<readonly number[]>;
  /** Writes all gradients; runs after `forward`. */
  readonly backward: Program;
  readonly inputs: readonly {
    readonly tensor: Tensor<'f32'>;
    readonly gradient: Tensor<'f32'>;
    /** Which elements of a member's part are inputs of the loss; all by default. Differs between members. */
    readonly checked?: (p: number, element: number) => boolean;
  }[];
}

/** Σ weight·value per member over the elements that have a weight: the loss of a single operation. */
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
  for (const [which, { tensor, gradient, checked = () => true }] of inputs.entries()) {
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
          wrong.push(`${gradient.label}[${p}, ${i}] is ${got}, by differences ${expected}`);
        }
      }
    }
    backend.write(tensor, original);
    expect(count, `elements of ${tensor.label} checked`).toBeGreaterThan(0);
    expect(wrong.slice(0, 10), `${wrong.length} of ${count} elements of ${gradient.label}`).toEqual([]);
  }
}
