/** Wrong arguments are refused while they are recorded, with the names of operation and tensor. */
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import type { Operations, Tensor } from '../../src/tensor/backend';
import { GROUP_COLUMNS, OUTCOME_COLUMNS, TERM_COLUMNS } from '../../src/tensor/columns';
import { evenHeads } from '../../src/tensor/heads';
import { HYPER_COLUMNS } from '../../src/tensor/layout';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

const P = 2;
const R = 5;

function refusal(build: (ops: Operations, f32: Make<'f32'>, u32: Make<'u32'>) => void): LabError | null {
  const backend = new ReferenceBackend();
  const f32: Make<'f32'> = (label, stride, members = P) => backend.tensor(label, 'f32', members, stride);
  const u32: Make<'u32'> = (label, stride, members = P) => backend.tensor(label, 'u32', members, stride);
  try {
    backend.record('wrong', P, (ops) => build(ops, f32, u32));
    return null;
  } catch (error) {
    return error as LabError;
  }
}

type Make<E extends 'f32' | 'u32'> = (label: string, stride: number, members?: number) => Tensor<E>;

const rowsOf = (u32: Make<'u32'>) => ({ table: u32('table', R * 4), count: u32('count', 1), capacity: R });

function recordLogProb(
  ops: Operations,
  f32: Make<'f32'>,
  u32: Make<'u32'>,
  { row, vocabulary, targets }: { row: number; vocabulary: number; targets?: number },
): void {
  const outputs = [f32('logProb', R), f32('entropy', R), f32('logSumExp', 2 * R)] as const;
  const [sets, hyper] = [u32('legalSets', 1, 1), f32('hyper', HYPER_COLUMNS)];
  const own = targets === undefined ? null : u32('targets', targets);
  ops.maskedLogProb(...outputs, f32('logits', R * row), rowsOf(u32), sets, hyper, vocabulary, own);
}

describe('Arguments of an operation', () => {
  test('pass when they are right, shared tensors included', () => {
    const none = refusal((ops, f32, u32) => {
      const weight = { tensor: f32('weights', 64, 1), offset: 16, shape: [4, 8] };
      ops.linear(f32('out', R * 8), f32('x', R * 4), rowsOf(u32), weight, null);
      const residual = f32('residual', R * 8);
      ops.linear(f32('out', R * 8), f32('x', R * 4), rowsOf(u32), weight, null, { residual });
      ops.gradientNorm(f32('norm', 1), f32('scratch', 2), f32('a', 1028), null);
      recordLogProb(ops, f32, u32, { row: 8, vocabulary: 7 });
      recordLogProb(ops, f32, u32, { row: 8, vocabulary: 8, targets: R });
    });
    expect(none).toBeNull();
  });

  const wrong: readonly { what: string; says: readonly string[]; build: Parameters<typeof refusal>[0] }[] = [
    {
      what: 'a stride that is too short',
      says: ['linear', '"out"', '39', '40'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [4, 8] };
        ops.linear(f32('out', R * 8 - 1), f32('x', R * 4), rowsOf(u32), weight, null);
      },
    },
    {
      what: 'an output that members would share',
      says: ['linear', '"out"', 'written'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [4, 8] };
        ops.linear(f32('out', R * 8, 1), f32('x', R * 4), rowsOf(u32), weight, null);
      },
    },
    {
      what: 'a residual that is the output itself',
      says: ['linear', 'residual', 'output itself'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [4, 8] };
        const out = f32('out', R * 8);
        ops.linear(out, f32('x', R * 4), rowsOf(u32), weight, null, { residual: out });
      },
    },
    {
      what: 'a residual of another shape than the output',
      says: ['linear', '"residual"', '20', '40'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [4, 8] };
        const residual = f32('residual', R * 4);
        ops.linear(f32('out', R * 8), f32('x', R * 4), rowsOf(u32), weight, null, { residual });
      },
    },
    {
      what: 'a tensor of another population',
      says: ['sumColumns', '"sums"', '3 members of 2'],
      build: (ops, f32, u32) => {
        const rows = { ...rowsOf(u32), start: u32('start', 4), sequences: 3 };
        ops.sumColumns(f32('sums', 4, 3), f32('each', 3 * 4), f32('terms', R * 4), rows, { accumulate: false });
      },
    },
    {
      what: 'an input width that is no multiple of 4',
      says: ['linear', '6', 'multiple of 4'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [6, 8] };
        ops.linear(f32('out', R * 8), f32('x', R * 6), rowsOf(u32), weight, null);
      },
    },
    {
      what: 'a parameter that is not aligned',
      says: ['linear', '"weights"', 'aligned'],
      build: (ops, f32, u32) => {
        const weight = { tensor: f32('weights', 64), offset: 2, shape: [4, 8] };
        ops.linear(f32('out', R * 8), f32('x', R * 4), rowsOf(u32), weight, null);
      },
    },
    {
      what: 'a parameter beyond the end of its tensor',
      says: ['layerNorm', '"weights"', 'ends before'],
      build: (ops, f32, u32) => {
        const gamma = { tensor: f32('weights', 8), offset: 4, shape: [8] };
        ops.layerNorm(f32('out', R * 8), f32('stats', R * 2), f32('x', R * 8), rowsOf(u32), gamma, gamma);
      },
    },
    {
      what: 'heads of 6',
      says: ['attention', '6', 'multiple of 4'],
      build: (ops, f32, u32) => {
        ops.attention(
          f32('out', R * 12),
          f32('logSumExp', R * 2),
          f32('qkv', R * 36),
          null,
          rowsOf(u32),
          evenHeads(12, 2),
        );
      },
    },
    {
      what: 'partials with too few chunks',
      says: ['linearBackwardWeight', '"partials"'],
      build: (ops, f32, u32) => {
        const rows = { ...rowsOf(u32), start: u32('start', 18), sequences: 17 };
        const weight = { tensor: f32('weights', 64), offset: 0, shape: [4, 8] };
        ops.linearBackwardWeight(f32('partials', 64), f32('x', R * 4), f32('dOut', R * 8), rows, weight, null);
      },
    },
    {
      what: 'a hyperparameter table of another layout',
      says: ['adamW', '"hyper"'],
      build: (ops, f32, u32) => {
        const own = (['parameters', 'firstMoment', 'secondMoment'] as const).map((label) => f32(label, 8));
        const [parameters, firstMoment, secondMoment] = own as [Tensor<'f32'>, Tensor<'f32'>, Tensor<'f32'>];
        const [step, norm, active] = [f32('step', 1), f32('norm', 1), u32('active', 1)];
        const hyper = f32('hyper', HYPER_COLUMNS - 1);
        ops.adamW(parameters, firstMoment, secondMoment, step, f32('gradients', 8), norm, hyper, active);
      },
    },
    {
      what: 'terms of another layout',
      says: ['regularise', '"terms"'],
      build: (ops, f32, u32) => {
        const [packed, dense] = [f32('packed', R), f32('dense', 3 * 4)];
        const inputs = {
          logProb: packed,
          entropy: packed,
          referenceLogProb: dense,
          oldLogProb: dense,
          actionWeight: dense,
        };
        const [terms, hyper] = [f32('terms', R * (TERM_COLUMNS - 1)), f32('hyper', HYPER_COLUMNS)];
        ops.regularise(f32('dLogProb', R), f32('dEntropy', R), terms, rowsOf(u32), inputs, hyper, 4);
      },
    },
    {
      what: 'a dense tensor of trajectories of another length',
      says: ['crossEntropyObjective', '"dense"', '5 tokens'],
      build: (ops, f32, u32) => {
        const [packed, dense] = [f32('packed', R), f32('dense', 3 * 4)];
        const old = { oldLogProb: dense, behaviourLogProb: dense, crossEntropyWeight: dense };
        const inputs = { logProb: packed, entropy: packed, ...old };
        const [terms, hyper] = [f32('terms', R * TERM_COLUMNS), f32('hyper', HYPER_COLUMNS)];
        const options = { accumulate: false };
        ops.crossEntropyObjective(f32('dLogProb', R), terms, rowsOf(u32), inputs, hyper, 5, options);
      },
    },
    {
      what: 'too little scratch',
      says: ['worldModelWeights', '"scratch"', '17', '18'],
      build: (ops, f32, u32) => {
        const batch = {
          roles: u32('roles', 3 * 4),
          trajectories: 3,
          context: 4,
          groupStart: u32('groupStart', 2, 1),
          groups: 1,
          outcomes: f32('outcomes', 3 * OUTCOME_COLUMNS),
        };
        const inputs = { oldEntropy: f32('oldEntropy', 3 * 4), group: f32('group', GROUP_COLUMNS) };
        const [weight, scratch] = [f32('weight', 3 * 4), f32('scratch', 17)];
        ops.worldModelWeights(weight, scratch, batch, inputs, f32('hyper', HYPER_COLUMNS));
      },
    },
    {
      what: 'rows of logits shorter than the vocabulary',
      says: ['maskedLogProb', '9', '8'],
      build: (ops, f32, u32) => recordLogProb(ops, f32, u32, { row: 8, vocabulary: 9 }),
    },
    {
      what: 'rows of logits that are no multiple of 4',
      says: ['maskedLogProb', '"logits"', '7'],
      build: (ops, f32, u32) => recordLogProb(ops, f32, u32, { row: 7, vocabulary: 7 }),
    },
    {
      what: 'log-probs that do not match the targets',
      says: ['maskedLogProb', '"logProb"', '5', '15'],
      build: (ops, f32, u32) => recordLogProb(ops, f32, u32, { row: 8, vocabulary: 7, targets: 3 * R }),
    },
    {
      what: 'targets that are no whole number a row',
      says: ['maskedLogProb', '"targets"'],
      build: (ops, f32, u32) => recordLogProb(ops, f32, u32, { row: 8, vocabulary: 7, targets: R + 1 }),
    },
    {
      what: 'a batch of trajectories of another length than the context',
      says: ['scatterRows', '"dense"', '5'],
      build: (ops, f32, u32) => ops.scatterRows(f32('dense', 3 * 4), f32('x', R), rowsOf(u32), 5),
    },
    {
      what: 'a copy between different shapes',
      says: ['copy', '"a"', '"b"'],
      build: (ops, f32) => ops.copy(f32('a', 4), f32('b', 5)),
    },
  ];
  test.each(wrong)('are refused for $what', ({ build, says }) => {
    const error = refusal(build);
    expect(error).toBeInstanceOf(LabError);
    expect(error?.code).toBe('internal');
    for (const words of says) expect(error?.message).toContain(words);
  });
});
