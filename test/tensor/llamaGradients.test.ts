/** The backward operations that only decoders of the Llama family need, against finite differences; and grouped heads. */
import { describe, test } from 'vitest';
import { normalRows, placeParameters, randomFor, unwritten } from '../../src/parity/cases/case';
import { packRows } from '../../src/parity/cases/rows';
import type { Heads } from '../../src/tensor/heads';
import { check } from './operationGradient';

const LENGTHS = [
  [4, 0, 3],
  [1, 5, 3],
];

function scene(name: string) {
  const random = randomFor(name);
  const rows = packRows(random, LENGTHS, { vocabulary: 8 });
  return {
    rows,
    columns: (count: number) => normalRows(random, rows.counts, rows.capacity, count),
    blank: (count: number) => unwritten(2, rows.capacity * count),
  };
}

describe('The gradient', () => {
  test('of rmsNorm', async () => {
    const { rows, columns, blank } = scene('rmsNorm');
    const C = 12;
    const plan = placeParameters('parameters', [C]);
    await check({
      rows,
      parameters: plan,
      tensors: { x: columns(C), dOut: columns(C), out: blank(C), stats: blank(2), dx: blank(C) },
      forward: (ops, t) =>
        ops.rmsNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), t.view(plan.places[0]!), 1e-5),
      backward: (ops, t) => {
        const [dOut, x, stats, gamma] = [t.f32('dOut'), t.f32('x'), t.f32('stats'), t.view(plan.places[0]!)];
        const options = { accumulate: false };
        ops.rmsNormBackward(t.f32('dx'), t.f32('partials'), dOut, x, stats, t.sequences(), gamma, options);
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: C }],
    });
  });

  test('of swiglu', async () => {
    const { rows, columns, blank } = scene('swiglu');
    const F = 8;
    await check({
      rows,
      tensors: { x: columns(2 * F), dOut: columns(F), out: blank(F), dx: blank(2 * F) },
      forward: (ops, t) => ops.swiglu(t.f32('out'), t.f32('x'), t.rows()),
      backward: (ops, t) => ops.swigluBackward(t.f32('dx'), t.f32('dOut'), t.f32('x'), t.rows()),
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: 2 * F }],
    });
  });

  test('of a head that is the embedding too adds up both uses', async () => {
    const { rows, columns, blank } = scene('tied');
    const [C, V] = [4, 8];
    const plan = placeParameters('parameters', [C, V]);
    await check({
      rows,
      parameters: plan,
      tensors: { dLogits: columns(V), dx: blank(C), x: blank(C), logits: blank(V) },
      forward: (ops, t) => {
        const head = t.view(plan.places[0]!);
        ops.embedTied(t.f32('x'), t.rows(), head);
        ops.linear(t.f32('logits'), t.f32('x'), t.rows(), head, null);
      },
      backward: (ops, t) => {
        const [head, rowsInUse] = [t.view(plan.places[0]!), t.sequences()];
        ops.linearBackwardWeight(t.f32('partials'), t.f32('x'), t.f32('dLogits'), rowsInUse, head, null);
        ops.linearBackwardInput(t.f32('dx'), t.f32('dLogits'), t.f32('x'), rowsInUse, head);
        ops.embedTiedBackward(t.f32('partials'), t.f32('dx'), rowsInUse, head);
      },
      outputs: [{ output: 'logits', cotangent: 'dLogits' }],
    });
  });

  test('of columns added is what takeColumns takes', async () => {
    const { rows, columns, blank } = scene('columns');
    await check({
      rows,
      tensors: { x: columns(4), dOut: columns(12), out: blank(12), dx: blank(4) },
      forward: (ops, t) => {
        ops.fill(t.f32('out'), 0);
        ops.addColumns(t.f32('out'), t.f32('x'), t.rows(), 8, 0.75);
      },
      backward: (ops, t) => ops.takeColumns(t.f32('dx'), t.f32('dOut'), t.rows(), 8, 0.75),
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: 4 }],
    });
  });

  const grouped: readonly Heads[] = [
    { queries: 4, keys: 2, width: 4 },
    { queries: 3, keys: 1, width: 8 },
  ];
  test.each(grouped)('of attention with $queries heads of queries and $keys of keys', async (heads) => {
    const { rows, columns, blank } = scene(`grouped ${heads.queries}`);
    const [W, C] = [(heads.queries + 2 * heads.keys) * heads.width, heads.queries * heads.width];
    await check({
      rows,
      tensors: { qkv: columns(W), dOut: columns(C), out: blank(C), logSumExp: blank(heads.queries), dqkv: blank(W) },
      forward: (ops, t) => ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), heads),
      backward: (ops, t) => {
        const [dOut, out, logSumExp, qkv] = [t.f32('dOut'), t.f32('out'), t.f32('logSumExp'), t.f32('qkv')];
        ops.attentionBackward(t.f32('dqkv'), dOut, out, logSumExp, qkv, t.sequences(), heads);
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'qkv', gradient: 'dqkv', columns: W }],
    });
  });
});
