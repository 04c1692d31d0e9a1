/**
 * Every backward operation of the reference against central finite differences of its forward operation, with two members
 * of different sizes. The composed check is in trainingGradient.test.ts.
 */
import { describe, test } from 'vitest';
import { type CaseTensors, placeParameters, randomFor, u32 } from '../../src/parity/cases/case';
import { EVERYTHING, hyperTensor } from '../../src/parity/cases/hyper';
import { legalSetTensor, makeTokensLegal, manyShort } from '../../src/parity/cases/rows';
import type { Activation, Tensor } from '../../src/tensor/backend';
import { evenHeads, type Heads } from '../../src/tensor/heads';
import { check } from './operationGradient';

describe('The gradient of embed', () => {
  test.each([true, false])('adds up tokens and positions (learned positions: %s)', (learned) =>
    check({
      name: 'embed',
      parameters: learned ? placeParameters('parameters', [8, 4], [6, 4]) : placeParameters('parameters', [8, 4]),
      given: { dOut: 4 },
      written: { out: 4 },
      forward: (ops, t, tokens, positions) => ops.embed(t.f32('out'), t.rows(), tokens, positions ?? null),
      backward: (ops, t, tokens, positions) =>
        ops.embedBackward(t.f32('partials'), t.f32('dOut'), t.sequences(), tokens, positions ?? null),
    }),
  );

  test('as the head too adds up both uses', () =>
    check({
      name: 'tied',
      parameters: placeParameters('parameters', [4, 8]),
      given: { dLogits: 8 },
      written: { dx: 4, x: 4, logits: 8 },
      forward: (ops, t, head) => {
        ops.embedTied(t.f32('x'), t.rows(), head);
        ops.linear(t.f32('logits'), t.f32('x'), t.rows(), head, null);
      },
      backward: (ops, t, head) => {
        ops.linearBackwardWeight(t.f32('partials'), t.f32('x'), t.f32('dLogits'), t.sequences(), head, null);
        ops.linearBackwardInput(t.f32('dx'), t.f32('dLogits'), t.f32('x'), t.sequences(), head);
        ops.embedTiedBackward(t.f32('partials'), t.f32('dx'), t.sequences(), head);
      },
      outputs: { logits: 'dLogits' },
    }));
});

describe('The gradient', () => {
  const C = 12;

  test('of layerNorm with respect to its input, gamma and beta', () =>
    check({
      name: 'layerNorm',
      parameters: placeParameters('parameters', [C], [C]),
      given: { x: C, dOut: C },
      written: { out: C, stats: 2, dx: C },
      forward: (ops, t, gamma, beta) => ops.layerNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), gamma, beta),
      backward: (ops, t, gamma, beta) => {
        const saved = [t.f32('dOut'), t.f32('x'), t.f32('stats'), t.sequences()] as const;
        ops.layerNormBackward(t.f32('dx'), t.f32('partials'), ...saved, gamma, beta, { accumulate: false });
      },
      inputs: { x: 'dx' },
    }));

  test('of rmsNorm', () =>
    check({
      name: 'rmsNorm',
      parameters: placeParameters('parameters', [C]),
      given: { x: C, dOut: C },
      written: { out: C, stats: 2, dx: C },
      forward: (ops, t, gamma) => ops.rmsNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), gamma, 1e-5),
      backward: (ops, t, gamma) => {
        const saved = [t.f32('dOut'), t.f32('x'), t.f32('stats'), t.sequences()] as const;
        ops.rmsNormBackward(t.f32('dx'), t.f32('partials'), ...saved, gamma, { accumulate: false });
      },
      inputs: { x: 'dx' },
    }));

  test('of swiglu', () =>
    check({
      name: 'swiglu',
      given: { x: 16, dOut: 8 },
      written: { out: 8, dx: 16 },
      forward: (ops, t) => ops.swiglu(t.f32('out'), t.f32('x'), t.rows()),
      backward: (ops, t) => ops.swigluBackward(t.f32('dx'), t.f32('dOut'), t.f32('x'), t.rows()),
      inputs: { x: 'dx' },
    }));

  test('of columns added is what takeColumns takes', () =>
    check({
      name: 'columns',
      given: { x: 4, dOut: 12 },
      written: { out: 12, dx: 4 },
      forward: (ops, t) => {
        ops.fill(t.f32('out'), 0);
        ops.addColumns(t.f32('out'), t.f32('x'), t.rows(), 8, 0.75);
      },
      backward: (ops, t) => ops.takeColumns(t.f32('dx'), t.f32('dOut'), t.rows(), 8, 0.75),
      inputs: { x: 'dx' },
    }));

  test('of rotary is the rotation back', () =>
    check({
      name: 'rotary',
      given: { x: 48, dOut: 48 },
      written: { out: 48, dx: 48 },
      forward: (ops, t) => {
        ops.copy(t.f32('out'), t.f32('x'));
        ops.rotary(t.f32('out'), t.rows(), evenHeads(16, 2), 1);
      },
      backward: (ops, t) => {
        ops.copy(t.f32('dx'), t.f32('dOut'));
        ops.rotary(t.f32('dx'), t.rows(), evenHeads(16, 2), -1);
      },
      inputs: { x: 'dx' },
    }));

  const variants: readonly { activation: Activation; bias: boolean; sequences: number }[] = [
    { activation: 'none', bias: true, sequences: 3 },
    { activation: 'relu', bias: false, sequences: 3 },
    { activation: 'gelu', bias: true, sequences: 3 },
    { activation: 'gelu', bias: true, sequences: 17 },
  ];
  test.each(variants)('of linear after $activation, bias $bias, $sequences trajectories', (variant) => {
    const { activation: inputActivation, bias, sequences } = variant;
    const [K, N] = [8, 12];
    const options = { inputActivation };
    return check({
      name: `linear ${inputActivation}`,
      ...(sequences === 3 ? {} : { lengths: manyShort(randomFor('lengths'), 2, sequences) }),
      parameters: bias ? placeParameters('parameters', [K, N], [N]) : placeParameters('parameters', [K, N]),
      given: { x: K, dOut: N },
      written: { out: N, dx: K },
      forward: (ops, t, weight, offset) =>
        ops.linear(t.f32('out'), t.f32('x'), t.rows(), weight, offset ?? null, options),
      backward: (ops, t, weight, offset) => {
        const [x, dOut] = [t.f32('x'), t.f32('dOut')];
        ops.linearBackwardInput(t.f32('dx'), dOut, x, t.rows(), weight, options);
        ops.linearBackwardWeight(t.f32('partials'), x, dOut, t.sequences(), weight, offset ?? null, options);
      },
      inputs: { x: 'dx' },
    });
  });

  const heads: readonly Heads[] = [
    evenHeads(C, 1),
    evenHeads(C, 3),
    { queries: 4, keys: 2, width: 4 },
    { queries: 3, keys: 1, width: 8 },
  ];
  test.each(heads)('of attention with $queries heads of queries and $keys of keys', (own) => {
    const [wide, narrow] = [(own.queries + 2 * own.keys) * own.width, own.queries * own.width];
    return check({
      name: `attention ${own.queries}`,
      given: { qkv: wide, dOut: narrow },
      written: { out: narrow, logSumExp: own.queries, dqkv: wide },
      forward: (ops, t) => ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), own),
      backward: (ops, t) => {
        const [dOut, out, logSumExp, qkv] = [t.f32('dOut'), t.f32('out'), t.f32('logSumExp'), t.f32('qkv')];
        ops.attentionBackward(t.f32('dqkv'), dOut, out, logSumExp, qkv, t.sequences(), own);
      },
      inputs: { qkv: 'dqkv' },
    });
  });
});

describe('The gradient through log-prob and entropy', () => {
  const outputs = { logProb: 'dLogProb', entropy: 'dEntropy' };
  const scores = (t: CaseTensors) => [t.f32('logProb'), t.f32('entropy'), t.f32('logSumExp')] as const;
  const saved = (t: CaseTensors) =>
    [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('entropy'), t.f32('logSumExp')] as const;
  const hyper = hyperTensor(EVERYTHING, { policyGradient: { action: 1 }, temperature: 0.6 });

  test.each([
    { V: 16, S: 16, K: 1 },
    { V: 36, S: 36, K: 1 },
    { V: 7, S: 12, K: 3 },
  ])('of maskedLogProb, legal sets and temperatures: $V tokens in rows of $S, $K each', ({ V, S, K }) => {
    const several = (t: CaseTensors): Tensor<'u32'> | null => (K > 1 ? t.u32('targets') : null);
    const own = (t: CaseTensors) => [t.rows(), t.u32('legalSets'), t.f32('hyper'), V, several(t)] as const;
    return check({
      name: `maskedLogProb ${V}`,
      vocabulary: V,
      legalSets: 4,
      tensors: (rows, random) => {
        const legalSets = legalSetTensor(random, 4, V);
        makeTokensLegal(rows, legalSets, V);
        // Targets: the row's own token twice, and token 0, which every legal set has.
        const table = rows.tensors['rows.table'].data;
        const targets = Array.from({ length: 2 * rows.capacity * 3 }, (_, i) =>
          i % 3 === 1 ? 0 : (table[4 * Math.floor(i / 3)] as number),
        );
        return { legalSets, targets: u32(2, targets), hyper };
      },
      given: { logits: S, dLogProb: K, dEntropy: 1 },
      written: { z: S, logProb: K, entropy: 1, logSumExp: 2 },
      forward: (ops, t) => {
        ops.copy(t.f32('z'), t.f32('logits'));
        ops.maskedLogProb(...scores(t), t.f32('z'), ...own(t));
      },
      backward: (ops, t) => ops.maskedLogProbBackward(t.f32('z'), ...saved(t), ...own(t)),
      outputs,
      inputs: { logits: 'z' },
    });
  });

  test('of fusedLogProb', () => {
    const [narrow, V] = [8, 20];
    return check({
      name: 'fusedLogProb',
      vocabulary: V,
      legalSets: 4,
      parameters: placeParameters('parameters', [narrow, V]),
      tensors: (rows, random) => {
        const legalSets = legalSetTensor(random, 4, V);
        makeTokensLegal(rows, legalSets, V);
        return { legalSets, hyper };
      },
      given: { hidden: narrow, dLogProb: 1, dEntropy: 1 },
      written: { dHidden: narrow, logProb: 1, entropy: 1, logSumExp: 2 },
      forward: (ops, t, head) =>
        ops.fusedLogProb(...scores(t), t.f32('hidden'), t.rows(), head, t.u32('legalSets'), t.f32('hyper')),
      backward: (ops, t, head) => {
        const gradients = [t.f32('dHidden'), t.f32('partials')] as const;
        const own = [t.sequences(), head, t.u32('legalSets'), t.f32('hyper')] as const;
        ops.fusedLogProbBackward(...gradients, ...saved(t), t.f32('hidden'), ...own);
      },
      outputs,
      inputs: { hidden: 'dHidden' },
    });
  });
});
