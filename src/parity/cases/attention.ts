/**
 * Parity cases of attention: rotary positions, the operation itself, its probabilities, and the cache of keys and values. WGSL's
 * exp, sin and cos are a little less exact than a correctly rounded library.
 */
import { f32, normalRows, type ParityCase, randomFor, rowMask, u32, unwritten } from './case';
import { packRows, SHAPES } from './rows';

const ATTENTION = { atol: 1e-5, rtol: 2e-5 };
/** Tolerance of rotary positions: angles reach some 200 rad, so rounding an angle alone costs up to 8e-6. */
const ROTARY = { atol: 5e-5, rtol: 1e-5 };

const WIDTHS = [
  { C: 16, heads: [1, 2, 4] },
  { C: 48, heads: [1, 3, 4] },
  { C: 128, heads: [2] },
] as const;

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

export const ATTENTION_CASES: readonly ParityCase[] = [
  ...rotaryCases(),
  ...attentionCases(),
  ...attentionProbabilityCases(),
  ...cacheCases(),
];
