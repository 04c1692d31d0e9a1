/** Distance from a teacher's distribution: values known by hand, and its gradient by finite differences in float64. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { DIVERGENCES, type DivergenceName } from '../../src/hyperparameters/distillation';
import type { Operations } from '../../src/tensor/backend';
import { HYPER, HYPER_COLUMNS, packMeta } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { emptyTensor, f32Tensor, ran, rowsTensor, u32Tensor } from '../support/tensors';

const V = 5;
const S = 8;
/** Words 0, 2 and 4 are legal for what is drawn. */
const LEGAL = 0b10101;
const TEMPERATURE = 0.7;

/** Three rows: a prompt, an action and an observation; weights of the last two. */
async function distilled(
  student: readonly number[],
  teacher: readonly number[],
  divergence: DivergenceName,
  weights: readonly number[],
) {
  const backend = new ReferenceBackend();
  const hyper = new Array<number>(HYPER_COLUMNS).fill(0);
  hyper[HYPER.temperature] = TEMPERATURE;
  const table = [ROLE.prompt, ROLE.action, ROLE.observation].flatMap((role, t) => [0, t, 0, packMeta(role, 1, 0)]);
  const [logits, distance] = [f32Tensor(backend, student), emptyTensor(backend, 3)];
  const numbers = [f32Tensor(backend, teacher), f32Tensor(backend, [0, ...weights])] as const;
  const legal = u32Tensor(backend, [2 ** V - 1, LEGAL]);
  const given = [...numbers, rowsTensor(backend, table), legal, f32Tensor(backend, hyper)] as const;
  const distil = (ops: Operations): void =>
    ops.distil(logits, distance, ...given, { vocabulary: V, divergence, context: 3 });
  const [gradient, distances] = await ran(backend, 1, distil, [logits, distance]);
  return { gradient, distances };
}

const random = new RandomStream(1, 0, 0, 0, 0);
const drawn = (): number[] => Array.from({ length: 3 * S }, () => random.normal());

const softmax = (row: readonly number[], temperature: number, legal: number): number[] => {
  const powers = row.slice(0, V).map((x, v) => (((legal >> v) & 1) === 1 ? Math.exp(x / temperature) : 0));
  return powers.map((power) => power / powers.reduce((a, b) => a + b));
};
const kl = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, x, v) => (x === 0 ? sum : sum + x * Math.log(x / (q[v] as number))), 0);

const FORMULAS: Readonly<Record<DivergenceName, (p: readonly number[], q: readonly number[]) => number>> = {
  reverse: (p, q) => kl(p, q),
  forward: (p, q) => kl(q, p),
  'jensen-shannon': (p, q) => {
    const mean = p.map((x, v) => (x + (q[v] as number)) / 2);
    return (kl(p, mean) + kl(q, mean)) / 2;
  },
};

describe.each(DIVERGENCES)('%s', (divergence) => {
  const [student, teacher] = [drawn(), drawn()];

  test('is that of the legal words at the temperature for what is drawn, of all words elsewhere', async () => {
    const { distances } = await distilled(student, teacher, divergence, [1, 1]);
    const expected = [
      [0, TEMPERATURE, LEGAL],
      [1, 1, 2 ** V - 1],
    ].map(([row, temperature, legal]) => {
      const of = (logits: readonly number[]) =>
        softmax(logits.slice((row as number) * S), temperature as number, legal as number);
      return FORMULAS[divergence](of(student), of(teacher));
    });
    expect(distances[0]).toBe(0);
    expect(distances[1]).toBeCloseTo(expected[0] as number, 12);
    expect(distances[2]).toBeCloseTo(expected[1] as number, 12);
  });

  test('has the gradient of weight times distance, and 0 where no token is weighed', async () => {
    const weights = [0.4, -1.5];
    const { gradient } = await distilled(student, teacher, divergence, weights);
    const step = 1e-5;
    for (let i = 0; i < 3 * S; i++) {
      const at = async (by: number) => {
        const moved = student.map((x, k) => (k === i ? x + by : x));
        const { distances } = await distilled(moved, teacher, divergence, weights);
        return weights.reduce((sum, w, k) => sum + w * (distances[k + 1] as number), 0);
      };
      expect(gradient[i], `logit ${i}`).toBeCloseTo(((await at(step)) - (await at(-step))) / (2 * step), 8);
    }
    const none = await distilled(student, teacher, divergence, [0, 1]);
    expect([...none.gradient.slice(0, S)]).toEqual(new Array(S).fill(0));
    expect(none.distances[1]).toBe(0);
  });

  test('is 0 and flat where both say the same', async () => {
    const { distances, gradient } = await distilled(student, student, divergence, [1, 1]);
    expect(Math.max(...Array.from(distances, Math.abs))).toBeLessThan(1e-15);
    expect(Math.max(...Array.from(gradient, Math.abs))).toBeLessThan(1e-15);
  });
});
