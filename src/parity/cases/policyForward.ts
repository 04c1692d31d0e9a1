/**
 * Parity cases of the policy's forward operations but attention. Tolerances: sums of up to 132 float32 products of unit size lose
 * about 2e-6; WGSL's exp, tanh, sin and cos are a little less exact than a correctly rounded library.
 */
import { evenHeads, type Heads, headWidths } from '../../tensor/heads';
import { f32, normal, normalRows, type ParityCase, placeParameters, randomFor, rowMask, u32, unwritten } from './case';
import { packRows, SHAPES } from './rows';

const SUMS = { atol: 1e-5, rtol: 1e-5 };
/** Products of norms: each is within 2e-5 of its size. */
const OF_NORMS = { atol: 5e-5, rtol: 5e-5 };

function embedCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const { name: shape, lengths } of SHAPES) {
    for (const learned of [true, false]) {
      const name = `embed ${shape}, ${learned ? 'learned' : 'no'} positions`;
      const random = randomFor(name);
      const [V, T, C] = [48, 210, learned ? 16 : 48];
      const rows = packRows(random, lengths, { vocabulary: V });
      const plan = placeParameters('parameters', [V, C], [T, C]);
      cases.push({
        operation: 'embed',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          parameters: normal(random, rows.members, plan.size),
          out: unwritten(rows.members, rows.capacity * C),
        },
        build: (ops, t) => {
          const [tokens, positions] = plan.places.map(t.view);
          ops.embed(t.f32('out'), t.rows(), tokens!, learned ? positions! : null);
        },
        outputs: [{ tensor: 'out', atol: 0, rtol: 1e-6, compared: rowMask(rows.counts, rows.capacity, C) }],
      });
    }
  }
  return cases;
}

function layerNormCases(): ParityCase[] {
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    [16, 48, 132].map((C): ParityCase => {
      const name = `layerNorm ${shape}, width ${C}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const plan = placeParameters('parameters', [C], [C]);
      const x = normalRows(random, rows.counts, rows.capacity, C, 2);
      // One row of equal values: variance 0, so rstd is 1/√ε. One far from 0.
      for (let c = 0; c < C; c++) x.data[c] = 0.75;
      for (let c = 0; c < C && rows.counts[0] > 1; c++) x.data[C + c] += 50;
      return {
        operation: 'layerNorm',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          parameters: normal(random, rows.members, plan.size),
          x,
          out: unwritten(rows.members, rows.capacity * C),
          stats: unwritten(rows.members, rows.capacity * 2),
        },
        build: (ops, t) => {
          const [gamma, beta] = plan.places.map(t.view);
          ops.layerNorm(t.f32('out'), t.f32('stats'), t.f32('x'), t.rows(), gamma!, beta!);
        },
        outputs: [
          { tensor: 'out', atol: 2e-5, rtol: 2e-5, compared: rowMask(rows.counts, rows.capacity, C) },
          { tensor: 'stats', atol: 1e-5, rtol: 2e-5, compared: rowMask(rows.counts, rows.capacity, 2) },
        ],
      };
    }),
  );
}

function linearCases(): ParityCase[] {
  const variants = [
    { K: 16, N: 48, bias: true, residual: false, options: {} },
    { K: 48, N: 80, bias: false, residual: true, options: {} },
    { K: 64, N: 16, bias: true, residual: true, options: { inputActivation: 'gelu' } },
    { K: 20, N: 4, bias: false, residual: false, options: { inputActivation: 'relu' } },
    { K: 4, N: 132, bias: true, residual: true, options: { inputActivation: 'none' } },
    { K: 132, N: 260, bias: true, residual: false, options: {} },
  ] as const;
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    variants.map(({ K, N, bias, residual, options }): ParityCase => {
      const name = `linear ${shape}, ${K} → ${N}${bias ? ' with bias' : ''}${residual ? ' and residual' : ''} ${JSON.stringify(options)}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const plan = placeParameters('parameters', [K, N], [N]);
      return {
        operation: 'linear',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          // One variant shares its weights between the members.
          parameters: normal(random, N === 80 ? 1 : rows.members, plan.size, 0.5),
          x: normalRows(random, rows.counts, rows.capacity, K, 1.5),
          residual: normalRows(random, rows.counts, rows.capacity, N),
          out: unwritten(rows.members, rows.capacity * N),
        },
        build: (ops, t) => {
          const [weight, offset] = plan.places.map(t.view);
          const own = residual ? { ...options, residual: t.f32('residual') } : options;
          ops.linear(t.f32('out'), t.f32('x'), t.rows(), weight!, bias ? offset! : null, own);
        },
        outputs: [{ tensor: 'out', ...SUMS, compared: rowMask(rows.counts, rows.capacity, N) }],
      };
    }),
  );
}

interface NormedLinear {
  readonly K: number;
  readonly N: number;
  readonly bias: boolean;
  readonly heads: Heads | null;
  /** RMS norm's; null: layer norm. */
  readonly epsilon: number | null;
  /** With rotary positions, and with a cache. */
  readonly isTurned?: boolean;
  readonly isKept?: boolean;
}

/** A norm and the product of what it gives, which GPUs take in one dispatch, and which may also fill a cache. */
function normedLinearCases(): ParityCase[] {
  const variants: readonly NormedLinear[] = [
    { K: 16, N: 48, bias: true, heads: null, epsilon: null },
    { K: 132, N: 260, bias: false, heads: null, epsilon: 1e-6 },
    { K: 20, N: 32, bias: true, heads: { queries: 4, keys: 2, width: 4 }, epsilon: null },
    { K: 64, N: 192, bias: true, heads: evenHeads(64, 4), epsilon: 1e-5 },
    { K: 24, N: 64, bias: true, heads: { queries: 4, keys: 2, width: 8 }, epsilon: 1e-5, isTurned: true },
    { K: 16, N: 48, bias: false, heads: evenHeads(16, 1), epsilon: null, isTurned: true, isKept: false },
  ];
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    variants.map(({ K, N, bias, heads, epsilon, isTurned = false, isKept = heads !== null }): ParityCase => {
      const name = `linear of a norm, ${shape}, ${K} → ${N}${isTurned ? ', turned' : ''}${isKept ? ', into a cache' : ''}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const plan = placeParameters('parameters', [K], [K], [K, N], [N]);
      const cached = heads === null || !isKept ? 0 : 2 * headWidths(heads).keys;
      const used = (width: number) => rowMask(rows.counts, rows.capacity, width);
      // Entry keyBase + position of a row of training is the row itself.
      const cache = cached === 0 ? {} : { cache: unwritten(rows.members, rows.capacity * cached) };
      return {
        operation: 'linear',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          ...cache,
          parameters: normal(random, rows.members, plan.size, 0.5),
          x: normalRows(random, rows.counts, rows.capacity, K, 1.5),
          normed: unwritten(rows.members, rows.capacity * K),
          stats: unwritten(rows.members, rows.capacity * 2),
          out: unwritten(rows.members, rows.capacity * N),
        },
        build: (ops, t) => {
          const [gamma, beta, weight, offset] = plan.places.map(t.view);
          const [normed, stats, x, out] = (['normed', 'stats', 'x', 'out'] as const).map(t.f32);
          if (epsilon === null) ops.layerNorm(normed!, stats!, x!, t.rows(), gamma!, beta!);
          else ops.rmsNorm(normed!, stats!, x!, t.rows(), gamma!, epsilon);
          ops.linear(out!, normed!, t.rows(), weight!, bias ? offset! : null);
          if (heads !== null && isTurned) ops.rotary(out!, t.rows(), heads, 1);
          if (heads !== null && isKept) ops.storeKeyValue(t.f32('cache'), out!, t.rows(), heads);
        },
        outputs: [
          { tensor: 'normed', atol: 2e-5, rtol: 2e-5, compared: used(K) },
          { tensor: 'stats', atol: 1e-5, rtol: 2e-5, compared: used(2) },
          { tensor: 'out', ...OF_NORMS, compared: used(N) },
          ...(cached === 0 ? [] : [{ tensor: 'cache', ...OF_NORMS, compared: used(cached) }]),
        ],
      };
    }),
  );
}

function activationTailCase(): ParityCase {
  const name = 'linear of large gelu inputs';
  const K = 16;
  const large = [-1000, -40, -12, -6, -3, -1, -1e-3, 0, 1e-3, 1, 3, 6, 12, 40, 1000, -0.5];
  const rows = packRows(randomFor(name), [[1]], { vocabulary: 16 });
  const plan = placeParameters('parameters', [K, K]);
  const parameters = new Float32Array(plan.size);
  for (let k = 0; k < K; k++) parameters[8 + k * K + k] = 1;
  return {
    operation: 'linear',
    name,
    members: 1,
    tensors: {
      ...rows.tensors,
      parameters: f32(1, parameters),
      x: f32(1, [...large, ...new Array<number>((rows.capacity - 1) * K).fill(Number.NaN)]),
      out: unwritten(1, rows.capacity * K),
    },
    build: (ops, t) => {
      ops.linear(t.f32('out'), t.f32('x'), t.rows(), t.view(plan.places[0]!), null, { inputActivation: 'gelu' });
    },
    outputs: [{ tensor: 'out', ...SUMS, compared: rowMask([1], rows.capacity, K) }],
  };
}

function gatherRowsCase(C: number): ParityCase {
  const name = `gatherRows of width ${C}`;
  const random = randomFor(name);
  const picks = [[6, 0, 3], [2], []];
  const capacity = 4;
  const table = new Uint32Array(3 * capacity * 4).fill(0xffffffff);
  picks.forEach((own, p) => {
    own.forEach((row, i) => {
      table.set([row, 9, 1, 17], (p * capacity + i) * 4);
    });
  });
  const counts = picks.map((own) => own.length);
  return {
    operation: 'gatherRows',
    name,
    members: 3,
    tensors: {
      'rows.table': u32(3, table),
      'rows.count': u32(3, counts),
      x: normal(random, 3, 7 * C),
      out: unwritten(3, capacity * C),
    },
    build: (ops, t) => ops.gatherRows(t.f32('out'), t.f32('x'), t.rows()),
    outputs: [{ tensor: 'out', atol: 0, rtol: 0, compared: rowMask(counts, capacity, C) }],
  };
}

export const POLICY_FORWARD_CASES: readonly ParityCase[] = [
  ...embedCases(),
  ...layerNormCases(),
  ...linearCases(),
  ...normedLinearCases(),
  activationTailCase(),
  gatherRowsCase(16),
  gatherRowsCase(48),
];
