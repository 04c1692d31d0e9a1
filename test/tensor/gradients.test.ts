/**
 * Every backward operation of the reference against central finite differences of its forward operation, with two members
 * of different sizes. The composed check is in trainingGradient.test.ts.
 */
import { describe, test } from 'vitest';
import {
  type CaseTensors,
  normalRows,
  placeParameters,
  randomFor,
  type TensorSpec,
  u32,
  unwritten,
} from '../../src/parity/cases/case';
import { EVERYTHING, hyperTensor } from '../../src/parity/cases/hyper';
import { legalSetTensor, makeTokensLegal, manyShort, packRows } from '../../src/parity/cases/rows';
import type { Activation, Operations, Tensor } from '../../src/tensor/backend';
import { evenHeads } from '../../src/tensor/heads';

import { check } from './operationGradient';

const LENGTHS = [
  [4, 0, 3],
  [1, 5, 3],
];

describe('The gradient of embed', () => {
  test.each([true, false])('adds up tokens and positions (learned positions: %s)', async (learned) => {
    const random = randomFor('embed');
    const rows = packRows(random, LENGTHS, { vocabulary: 8 });
    const plan = learned ? placeParameters('parameters', [8, 4], [6, 4]) : placeParameters('parameters', [8, 4]);
    const views = (t: CaseTensors) => {
      const [tokens, positions] = plan.places.map(t.view);
      return [tokens!, positions ?? null] as const;
    };
    await check({
      rows,
      parameters: plan,
      tensors: {
        out: unwritten(2, rows.capacity * 4),
        dOut: normalRows(random, rows.counts, rows.capacity, 4),
      },
      forward: (ops, t) => ops.embed(t.f32('out'), t.rows(), ...views(t)),
      backward: (ops, t) => ops.embedBackward(t.f32('partials'), t.f32('dOut'), t.sequences(), ...views(t)),
      outputs: [{ output: 'out', cotangent: 'dOut' }],
    });
  });
});

describe('The gradient of layerNorm', () => {
  test('with respect to its input, gamma and beta', async () => {
    const random = randomFor('layerNorm');
    const C = 12;
    const rows = packRows(random, LENGTHS, { vocabulary: 8 });
    const plan = placeParameters('parameters', [C], [C]);
    const columns = (): TensorSpec => normalRows(random, rows.counts, rows.capacity, C);
    await check({
      rows,
      parameters: plan,
      tensors: {
        x: columns(),
        dOut: columns(),
        out: unwritten(2, rows.capacity * C),
        stats: unwritten(2, rows.capacity * 2),
        dx: unwritten(2, rows.capacity * C),
      },
      forward: (ops, t) => {
        const [gamma, beta] = plan.places.map(t.view);
        ops.layerNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), gamma!, beta!);
      },
      backward: (ops, t) => {
        const [gamma, beta] = plan.places.map(t.view);
        const [dOut, x, stats] = [t.f32('dOut'), t.f32('x'), t.f32('stats')];
        ops.layerNormBackward(t.f32('dx'), t.f32('partials'), dOut, x, stats, t.sequences(), gamma!, beta!, {
          accumulate: false,
        });
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: C }],
    });
  });
});

describe('The gradient of linear', () => {
  const variants: readonly { activation: Activation; bias: boolean; sequences: number }[] = [
    { activation: 'none', bias: true, sequences: 3 },
    { activation: 'relu', bias: false, sequences: 3 },
    { activation: 'gelu', bias: true, sequences: 3 },
    { activation: 'gelu', bias: true, sequences: 17 },
  ];
  test.each(variants)('after $activation, bias $bias, $sequences trajectories', async (variant) => {
    const { activation: inputActivation, bias, sequences } = variant;
    const random = randomFor(`linear ${inputActivation}`);
    const [K, N] = [8, 12];
    const lengths = sequences === 3 ? LENGTHS : manyShort(random, 2, sequences);
    const rows = packRows(random, lengths, { vocabulary: 8 });
    const plan = bias ? placeParameters('parameters', [K, N], [N]) : placeParameters('parameters', [K, N]);
    const views = (t: CaseTensors) => {
      const [weight, offset] = plan.places.map(t.view);
      return [weight!, offset ?? null] as const;
    };
    await check({
      rows,
      parameters: plan,
      tensors: {
        x: normalRows(random, rows.counts, rows.capacity, K),
        dOut: normalRows(random, rows.counts, rows.capacity, N),
        out: unwritten(2, rows.capacity * N),
        dx: unwritten(2, rows.capacity * K),
      },
      forward: (ops, t) => ops.linear(t.f32('out'), t.f32('x'), t.rows(), ...views(t), { inputActivation }),
      backward: (ops, t) => {
        const [x, dOut, options] = [t.f32('x'), t.f32('dOut'), { inputActivation }];
        ops.linearBackwardInput(t.f32('dx'), dOut, x, t.rows(), views(t)[0], options);
        ops.linearBackwardWeight(t.f32('partials'), x, dOut, t.sequences(), ...views(t), options);
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: K }],
    });
  });
});

describe('The gradient of rotary', () => {
  test('is the rotation back', async () => {
    const random = randomFor('rotary');
    const [C, heads] = [16, 2];
    const rows = packRows(random, LENGTHS, { vocabulary: 8 });
    await check({
      rows,
      tensors: {
        x: normalRows(random, rows.counts, rows.capacity, 3 * C),
        dOut: normalRows(random, rows.counts, rows.capacity, 3 * C),
        out: unwritten(2, rows.capacity * 3 * C),
        dx: unwritten(2, rows.capacity * 3 * C),
      },
      forward: (ops, t) => {
        ops.copy(t.f32('out'), t.f32('x'));
        ops.rotary(t.f32('out'), t.rows(), evenHeads(C, heads), 1);
      },
      backward: (ops, t) => {
        ops.copy(t.f32('dx'), t.f32('dOut'));
        ops.rotary(t.f32('dx'), t.rows(), evenHeads(C, heads), -1);
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'x', gradient: 'dx', columns: 3 * C }],
    });
  });
});

describe('The gradient of attention', () => {
  test.each([1, 3])('with %i heads', async (heads) => {
    const random = randomFor(`attention ${heads}`);
    const C = 12;
    const rows = packRows(random, LENGTHS, { vocabulary: 8 });
    await check({
      rows,
      tensors: {
        qkv: normalRows(random, rows.counts, rows.capacity, 3 * C),
        dOut: normalRows(random, rows.counts, rows.capacity, C),
        out: unwritten(2, rows.capacity * C),
        logSumExp: unwritten(2, rows.capacity * heads),
        dqkv: unwritten(2, rows.capacity * 3 * C),
      },
      forward: (ops, t) => {
        ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), evenHeads(C, heads));
      },
      backward: (ops, t) => {
        const [dOut, out, logSumExp, qkv] = [t.f32('dOut'), t.f32('out'), t.f32('logSumExp'), t.f32('qkv')];
        ops.attentionBackward(t.f32('dqkv'), dOut, out, logSumExp, qkv, t.sequences(), evenHeads(C, heads));
      },
      outputs: [{ output: 'out', cotangent: 'dOut' }],
      inputs: [{ tensor: 'qkv', gradient: 'dqkv', columns: 3 * C }],
    });
  });
});

describe('The gradient of maskedLogProb', () => {
  test.each([
    { V: 16, S: 16, K: 1 },
    { V: 36, S: 36, K: 1 },
    { V: 7, S: 12, K: 3 },
  ])('through log-prob and entropy, legal sets and temperatures: $V tokens in rows of $S, $K each', async (sizes) => {
    const { V, S, K } = sizes;
    const random = randomFor(`maskedLogProb ${V}`);
    const rows = packRows(random, LENGTHS, { vocabulary: V, legalSets: 4 });
    const legalSets = legalSetTensor(random, 4, V);
    makeTokensLegal(rows, legalSets, V);
    const column = (columns: number): TensorSpec => normalRows(random, rows.counts, rows.capacity, columns);
    // Targets: the row's own token twice, and token 0, which every legal set has.
    const table = rows.tensors['rows.table'].data;
    const targets = Array.from({ length: 2 * rows.capacity * 3 }, (_, i) =>
      i % 3 === 1 ? 0 : (table[4 * Math.floor(i / 3)] as number),
    );
    const several = (t: CaseTensors): Tensor<'u32'> | null => (K > 1 ? t.u32('targets') : null);
    const score = (ops: Operations, t: CaseTensors): void => {
      const outputs = [t.f32('logProb'), t.f32('entropy'), t.f32('logSumExp')] as const;
      const own = [t.rows(), t.u32('legalSets'), t.f32('hyper'), V, several(t)] as const;
      ops.copy(t.f32('z'), t.f32('logits'));
      ops.maskedLogProb(...outputs, t.f32('z'), ...own);
    };
    await check({
      rows,
      tensors: {
        logits: column(S),
        z: unwritten(2, rows.capacity * S),
        legalSets,
        targets: u32(2, targets),
        hyper: hyperTensor(EVERYTHING, { policyGradient: { action: 1 }, temperature: 0.6 }),
        dLogProb: column(K),
        dEntropy: column(1),
        logProb: unwritten(2, rows.capacity * K),
        entropy: unwritten(2, rows.capacity),
        logSumExp: unwritten(2, rows.capacity * 2),
      },
      forward: score,
      backward: (ops, t) => {
        const saved = [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('entropy'), t.f32('logSumExp')] as const;
        const own = [t.rows(), t.u32('legalSets'), t.f32('hyper'), V, several(t)] as const;
        ops.maskedLogProbBackward(t.f32('z'), ...saved, ...own);
      },
      outputs: [
        { output: 'logProb', cotangent: 'dLogProb' },
        { output: 'entropy', cotangent: 'dEntropy' },
      ],
      inputs: [{ tensor: 'logits', gradient: 'z', columns: S }],
    });
  });
});

test('The gradient of fusedLogProb', async () => {
  const [C, V] = [8, 20];
  const random = randomFor('fusedLogProb');
  const rows = packRows(random, LENGTHS, { vocabulary: V, legalSets: 4 });
  const legalSets = legalSetTensor(random, 4, V);
  makeTokensLegal(rows, legalSets, V);
  const column = (columns: number): TensorSpec => normalRows(random, rows.counts, rows.capacity, columns);
  const plan = placeParameters('parameters', [C, V]);
  await check({
    rows,
    tensors: {
      hidden: column(C),
      dHidden: unwritten(2, rows.capacity * C),
      legalSets,
      hyper: hyperTensor(EVERYTHING, { policyGradient: { action: 1 }, temperature: 0.6 }),
      dLogProb: column(1),
      dEntropy: column(1),
      logProb: unwritten(2, rows.capacity),
      entropy: unwritten(2, rows.capacity),
      logSumExp: unwritten(2, rows.capacity * 2),
    },
    forward: (ops, t) => {
      const outputs = [t.f32('logProb'), t.f32('entropy'), t.f32('logSumExp')] as const;
      const [head] = plan.places.map(t.view);
      ops.fusedLogProb(...outputs, t.f32('hidden'), t.rows(), head!, t.u32('legalSets'), t.f32('hyper'));
    },
    backward: (ops, t) => {
      const saved = [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('entropy'), t.f32('logSumExp')] as const;
      const gradients = [t.f32('dHidden'), t.f32('partials')] as const;
      const [head] = plan.places.map(t.view);
      const own = [t.sequences(), head!, t.u32('legalSets'), t.f32('hyper')] as const;
      ops.fusedLogProbBackward(...gradients, ...saved, t.f32('hidden'), ...own);
    },
    outputs: [
      { output: 'logProb', cotangent: 'dLogProb' },
      { output: 'entropy', cotangent: 'dEntropy' },
    ],
    inputs: [{ tensor: 'hidden', gradient: 'dHidden', columns: C }],
    parameters: plan,
  });
});
