/**
 * Parity cases of the policy's forward operations. Tolerances: sums of up to 68 float32 products of unit size lose about
 * 1e-6; WGSL's exp, tanh, sin and cos are a little less exact than a correctly rounded library.
 */
import { f32, normal, normalRows, type ParityCase, placeParameters, randomFor, rowMask, u32, unwritten } from './case';
import { packRows, SHAPES } from './rows';

const SUMS = { atol: 1e-5, rtol: 1e-5 };
const ATTENTION = { atol: 1e-5, rtol: 2e-5 };
/** Tolerance of rotary positions: angles reach some 200 rad, so rounding an angle alone costs up to 8e-6. */
const ROTARY = { atol: 5e-5, rtol: 1e-5 };

const WIDTHS = [
  { C: 16, heads: [1, 2, 4] },
  { C: 48, heads: [1, 3, 4] },
  { C: 128, heads: [2] },
] as const;

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
    { K: 16, N: 48, bias: true, options: {} },
    { K: 48, N: 80, bias: false, options: { accumulate: true } },
    { K: 64, N: 16, bias: true, options: { inputActivation: 'gelu', accumulate: true } },
    { K: 20, N: 4, bias: false, options: { inputActivation: 'relu' } },
    { K: 4, N: 132, bias: true, options: { inputActivation: 'none', accumulate: true } },
    { K: 68, N: 260, bias: true, options: {} },
  ] as const;
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    variants.map(({ K, N, bias, options }): ParityCase => {
      const name = `linear ${shape}, ${K} → ${N}${bias ? ' with bias' : ''} ${JSON.stringify(options)}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const plan = placeParameters('parameters', [K, N], [N]);
      const accumulate = 'accumulate' in options;
      return {
        operation: 'linear',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          // One variant shares its weights between the members.
          parameters: normal(random, N === 80 ? 1 : rows.members, plan.size, 0.5),
          x: normalRows(random, rows.counts, rows.capacity, K, 1.5),
          out: accumulate
            ? normalRows(random, rows.counts, rows.capacity, N)
            : unwritten(rows.members, rows.capacity * N),
        },
        build: (ops, t) => {
          const [weight, offset] = plan.places.map(t.view);
          ops.linear(t.f32('out'), t.f32('x'), t.rows(), weight!, bias ? offset! : null, options);
        },
        outputs: [{ tensor: 'out', ...SUMS, compared: rowMask(rows.counts, rows.capacity, N) }],
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

function rotaryCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const { name: shape, lengths } of SHAPES) {
    for (const { C, heads } of WIDTHS) {
      for (const H of heads) {
        const direction = H === 1 ? 1 : -1;
        const name = `rotary ${shape}, width ${C}, ${H} heads, direction ${direction}`;
        const random = randomFor(name);
        const rows = packRows(random, lengths, { vocabulary: 16 });
        cases.push({
          operation: 'rotary',
          name,
          members: rows.members,
          tensors: { ...rows.tensors, qkv: normalRows(random, rows.counts, rows.capacity, 3 * C) },
          build: (ops, t) => ops.rotary(t.f32('qkv'), t.rows(), H, direction),
          outputs: [{ tensor: 'qkv', ...ROTARY, compared: rowMask(rows.counts, rows.capacity, 3 * C) }],
        });
      }
    }
  }
  return cases;
}

function attentionCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const { name: shape, lengths } of SHAPES) {
    for (const { C, heads } of WIDTHS) {
      for (const H of heads) {
        const name = `attention ${shape}, width ${C}, ${H} heads`;
        const random = randomFor(name);
        const rows = packRows(random, lengths, { vocabulary: 16 });
        cases.push({
          operation: 'attention',
          name,
          members: rows.members,
          tensors: {
            ...rows.tensors,
            qkv: normalRows(random, rows.counts, rows.capacity, 3 * C, 1.5),
            out: unwritten(rows.members, rows.capacity * C),
            logSumExp: unwritten(rows.members, rows.capacity * H),
          },
          build: (ops, t) => ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), H),
          outputs: [
            { tensor: 'out', ...ATTENTION, compared: rowMask(rows.counts, rows.capacity, C) },
            { tensor: 'logSumExp', ...ATTENTION, compared: rowMask(rows.counts, rows.capacity, H) },
          ],
        });
      }
    }
  }
  return cases;
}

/** Probabilities after attention, which gives the log-sum-exp, for the first row, the last, and two between. */
function attentionProbabilityCases(): ParityCase[] {
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    WIDTHS.map(({ C, heads }) => {
      const H = heads[heads.length - 1];
      const name = `attentionProbabilities ${shape}, width ${C}, ${H} heads`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      const { members: P, capacity, counts } = rows;
      const T = Math.max(...lengths.flat()) + 1;
      const picked = 4;
      const table = new Uint32Array(P * picked * 4).fill(0xffffffff);
      counts.forEach((count, p) => {
        for (let i = 0; i < picked; i++) table[(p * picked + i) * 4] = Math.floor(((count - 1) * i) / (picked - 1));
      });
      const pickCounts = counts.map((count) => (count === 0 ? 0 : picked));
      return {
        operation: 'attentionProbabilities',
        name,
        members: P,
        tensors: {
          ...rows.tensors,
          'picks.table': u32(P, table),
          'picks.count': u32(P, pickCounts),
          qkv: normalRows(random, counts, capacity, 3 * C, 1.5),
          attended: unwritten(P, capacity * C),
          logSumExp: unwritten(P, capacity * H),
          out: unwritten(P, picked * H * T),
        },
        build: (ops, t) => {
          ops.attention(t.f32('attended'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), H);
          const picks = { table: t.u32('picks.table'), count: t.u32('picks.count'), capacity: picked };
          ops.attentionProbabilities(t.f32('out'), t.f32('qkv'), t.f32('logSumExp'), picks, t.rows(), H);
        },
        outputs: [{ tensor: 'out', ...ATTENTION, compared: rowMask(pickCounts, picked, H * T) }],
      };
    }),
  );
}

/** Tokens fed to a cache: [trajectory, first position fed, tokens fed] for some trajectories of each member. */
const FED = [
  { name: 'first tokens', context: 8, fed: [[[0, 0, 1]]] },
  {
    name: 'ragged positions',
    context: 24,
    fed: [
      [
        [0, 5, 3],
        [2, 0, 4],
        [3, 22, 2],
      ],
      [[1, 17, 1]],
      [],
    ],
  },
] as const;

function cacheCases(): ParityCase[] {
  const cases: ParityCase[] = [];
  for (const { name: shape, context, fed } of FED) {
    for (const { C, heads } of WIDTHS) {
      const H = heads[heads.length - 1];
      const name = `attention with a cache, ${shape}, width ${C}, ${H} heads`;
      const random = randomFor(name);
      const P = fed.length;
      const counts = fed.map((own) => own.reduce((total, [, , length]) => total + length, 0));
      const capacity = Math.max(...counts) + 1;
      const trajectories = 4;
      const table = new Uint32Array(P * capacity * 4).fill(0xffffffff);
      // Positions before the fed ones are in the cache; later ones are NaN.
      const cache = new Float32Array(P * trajectories * context * 2 * C).fill(Number.NaN);
      const written = new Uint8Array(cache.length);
      fed.forEach((own, p) => {
        let row = p * capacity;
        for (const [trajectory, first, length] of own) {
          const base = (p * trajectories + trajectory) * context * 2 * C;
          for (let i = 0; i < first * 2 * C; i++) cache[base + i] = random.normal();
          written.fill(1, base, base + (first + length) * 2 * C);
          for (let i = 0; i < length; i++, row++) table.set([3, first + i, trajectory * context, 1], row * 4);
        }
      });
      const shared = {
        members: P,
        tensors: {
          'rows.table': u32(P, table),
          'rows.count': u32(P, counts),
          qkv: normalRows(random, counts, capacity, 3 * C, 1.5),
          cache: f32(P, cache),
          out: unwritten(P, capacity * C),
          logSumExp: unwritten(P, capacity * H),
        },
      };
      cases.push({
        ...shared,
        operation: 'storeKeyValue',
        name: name.replace('attention with', 'storeKeyValue into'),
        build: (ops, t) => ops.storeKeyValue(t.f32('cache'), t.f32('qkv'), t.rows()),
        outputs: [{ tensor: 'cache', atol: 0, rtol: 0 }],
      });
      cases.push({
        ...shared,
        operation: 'attention',
        name,
        build: (ops, t) => {
          ops.storeKeyValue(t.f32('cache'), t.f32('qkv'), t.rows());
          ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), t.f32('cache'), t.rows(), H);
        },
        outputs: [
          { tensor: 'cache', atol: 0, rtol: 0, compared: written },
          { tensor: 'out', ...ATTENTION, compared: rowMask(counts, capacity, C) },
          { tensor: 'logSumExp', ...ATTENTION, compared: rowMask(counts, capacity, H) },
        ],
      });
    }
  }
  return cases;
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
  activationTailCase(),
  ...rotaryCases(),
  ...attentionCases(),
  ...attentionProbabilityCases(),
  ...cacheCases(),
  gatherRowsCase(16),
  gatherRowsCase(48),
];
