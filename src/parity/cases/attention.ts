/**
 * Parity cases of attention: rotary positions, the operation itself, its probabilities, and the cache of keys and values. WGSL's
 * exp, sin and cos are a little less exact than a correctly rounded library.
 */
import { evenHeads, type Heads, headWidths } from '../../tensor/heads';
import { f32, normalRows, type ParityCase, randomFor, rowMask, u32, unwritten } from './case';
import { packRows, SHAPES } from './rows';

const ATTENTION = { atol: 1e-5, rtol: 2e-5 };
/** Tolerance of rotary positions: angles in float32 reach 512 rad, so rounding an angle alone costs up to 3e-5. */
const ROTARY = { atol: 5e-5, rtol: 1e-5 };

/** Heads of attention's cases: as many of keys as of queries, and fewer, by two, three and eight. */
export const HEADS: readonly Heads[] = [
  ...[1, 2, 4].map((heads) => evenHeads(16, heads)),
  ...[1, 3, 4].map((heads) => evenHeads(48, heads)),
  evenHeads(128, 2),
  { queries: 4, keys: 2, width: 8 },
  { queries: 3, keys: 1, width: 20 },
  { queries: 8, keys: 1, width: 4 },
  { queries: 2, keys: 1, width: 128 },
];

/** Shapes with most heads of each kind, for cases that take long. */
const FEW_HEADS = HEADS.filter(({ queries, keys }) => queries > 1 || keys > 1).slice(1);

export function headsInWords({ queries, keys, width }: Heads): string {
  return `width ${queries * width}, ${queries} heads${keys === queries ? '' : ` of queries, ${keys} of keys`}`;
}

/** Trajectory as long as the context of a language model. */
const LONG = { name: '2,050 rows', lengths: [[2050]] };

function rotaryCases(): ParityCase[] {
  return [...SHAPES, LONG].flatMap(({ name: shape, lengths }) =>
    (shape === LONG.name ? [evenHeads(128, 2)] : HEADS).map((heads): ParityCase => {
      const { row } = headWidths(heads);
      const direction = heads.queries === 1 ? 1 : -1;
      const theta = heads.keys === heads.queries ? undefined : 500_000;
      const name = `rotary ${shape}, ${headsInWords(heads)}, direction ${direction}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      return {
        operation: 'rotary',
        name,
        members: rows.members,
        tensors: { ...rows.tensors, qkv: normalRows(random, rows.counts, rows.capacity, row) },
        build: (ops, t) => ops.rotary(t.f32('qkv'), t.rows(), heads, direction, theta),
        outputs: [{ tensor: 'qkv', ...ROTARY, compared: rowMask(rows.counts, rows.capacity, row) }],
      };
    }),
  );
}

function attentionCases(): ParityCase[] {
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    HEADS.map((heads): ParityCase => {
      const { queries: C, row } = headWidths(heads);
      const name = `attention ${shape}, ${headsInWords(heads)}`;
      const random = randomFor(name);
      const rows = packRows(random, lengths, { vocabulary: 16 });
      return {
        operation: 'attention',
        name,
        members: rows.members,
        tensors: {
          ...rows.tensors,
          qkv: normalRows(random, rows.counts, rows.capacity, row, 1.5),
          out: unwritten(rows.members, rows.capacity * C),
          logSumExp: unwritten(rows.members, rows.capacity * heads.queries),
        },
        build: (ops, t) => ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), heads),
        outputs: [
          { tensor: 'out', ...ATTENTION, compared: rowMask(rows.counts, rows.capacity, C) },
          { tensor: 'logSumExp', ...ATTENTION, compared: rowMask(rows.counts, rows.capacity, heads.queries) },
        ],
      };
    }),
  );
}

/** Probabilities after attention, which gives the log-sum-exp, for the first row, the last, and two between. */
function attentionProbabilityCases(): ParityCase[] {
  return SHAPES.flatMap(({ name: shape, lengths }) =>
    FEW_HEADS.map((heads) => {
      const { queries: C, row } = headWidths(heads);
      const H = heads.queries;
      const name = `attentionProbabilities ${shape}, ${headsInWords(heads)}`;
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
          qkv: normalRows(random, counts, capacity, row, 1.5),
          attended: unwritten(P, capacity * C),
          logSumExp: unwritten(P, capacity * H),
          out: unwritten(P, picked * H * T),
        },
        build: (ops, t) => {
          ops.attention(t.f32('attended'), t.f32('logSumExp'), t.f32('qkv'), null, t.rows(), heads);
          const picks = { table: t.u32('picks.table'), count: t.u32('picks.count'), capacity: picked };
          ops.attentionProbabilities(t.f32('out'), t.f32('qkv'), t.f32('logSumExp'), picks, t.rows(), heads);
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
    for (const heads of FEW_HEADS) {
      const { queries: C, keys, row } = headWidths(heads);
      const H = heads.queries;
      const name = `attention with a cache, ${shape}, ${headsInWords(heads)}`;
      const random = randomFor(name);
      const P = fed.length;
      const counts = fed.map((own) => own.reduce((total, [, , length]) => total + length, 0));
      const capacity = Math.max(...counts) + 1;
      const trajectories = 4;
      const table = new Uint32Array(P * capacity * 4).fill(0xffffffff);
      // Positions before the fed ones are in the cache; later ones are NaN.
      const cache = new Float32Array(P * trajectories * context * 2 * keys).fill(Number.NaN);
      const written = new Uint8Array(cache.length);
      fed.forEach((own, p) => {
        let at = p * capacity;
        for (const [trajectory, first, length] of own) {
          const base = (p * trajectories + trajectory) * context * 2 * keys;
          for (let i = 0; i < first * 2 * keys; i++) cache[base + i] = random.normal();
          written.fill(1, base, base + (first + length) * 2 * keys);
          for (let i = 0; i < length; i++, at++) table.set([3, first + i, trajectory * context, 1], at * 4);
        }
      });
      const shared = {
        members: P,
        tensors: {
          'rows.table': u32(P, table),
          'rows.count': u32(P, counts),
          qkv: normalRows(random, counts, capacity, row, 1.5),
          cache: f32(P, cache),
          out: unwritten(P, capacity * C),
          logSumExp: unwritten(P, capacity * H),
        },
      };
      cases.push({
        ...shared,
        operation: 'storeKeyValue',
        name: name.replace('attention with', 'storeKeyValue into'),
        build: (ops, t) => ops.storeKeyValue(t.f32('cache'), t.f32('qkv'), t.rows(), heads),
        outputs: [{ tensor: 'cache', atol: 0, rtol: 0 }],
      });
      cases.push({
        ...shared,
        operation: 'attention',
        name,
        build: (ops, t) => {
          ops.storeKeyValue(t.f32('cache'), t.f32('qkv'), t.rows(), heads);
          ops.attention(t.f32('out'), t.f32('logSumExp'), t.f32('qkv'), t.f32('cache'), t.rows(), heads);
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
