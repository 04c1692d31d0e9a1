/**
 * Row tables for cases: whole trajectories packed one after the other, as in training. Members differ in their number of
 * rows; the table beyond is 0xffffffff.
 */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { GRADIENT_CHUNK, packMeta, ROW_FIELDS } from '../../tensor/layout';
import { type TensorSpec, u32 } from './case';

/** Lengths of trajectories in tokens, [P][sequences]; 0 is an empty sequence. */
export type Lengths = readonly (readonly number[])[];

export interface PackedRows {
  readonly members: number;
  readonly capacity: number;
  readonly sequences: number;
  readonly counts: readonly number[];
  readonly tensors: Record<'rows.table' | 'rows.count' | 'rows.start', TensorSpec>;
}

/** Index in the batch, as meta has it, of a sequence of a microbatch; different from its index there. */
const batchSequence = (sequence: number): number => 2 * sequence + 1;

/** Trajectories of a batch with room for every batchSequence() of a microbatch. */
export const batchSize = (sequences: number): number => 2 * sequences + 1;

const ROLE_CYCLE = [
  ROLE.prompt,
  ROLE.prompt,
  ROLE.thought,
  ROLE.action,
  ROLE.observation,
  ROLE.action,
  ROLE.warning,
] as const;

export function packRows(
  random: RandomStream,
  lengths: Lengths,
  options: { vocabulary: number; legalSets?: number; spare?: number },
): PackedRows {
  const { vocabulary, legalSets = 1, spare = 2 } = options;
  const members = lengths.length;
  const sequences = lengths[0]?.length ?? 0;
  const counts = lengths.map((own) => own.reduce((a, b) => a + b, 0));
  const capacity = Math.max(...counts) + spare;
  const table = new Uint32Array(members * capacity * ROW_FIELDS).fill(0xffffffff);
  const start = new Uint32Array(members * (sequences + 1));
  lengths.forEach((own, p) => {
    let row = 0;
    own.forEach((length, s) => {
      const base = row;
      start[p * (sequences + 1) + s] = base;
      for (let position = 0; position < length; position++, row++) {
        const role = ROLE_CYCLE[(position + p) % ROLE_CYCLE.length];
        const meta = packMeta(role, random.below(legalSets), batchSequence(s));
        table.set([random.below(vocabulary), position, base, meta], (p * capacity + row) * ROW_FIELDS);
      }
    });
    start[p * (sequences + 1) + sequences] = row;
  });
  return {
    members,
    capacity,
    sequences,
    counts,
    tensors: {
      'rows.table': u32(members, table),
      'rows.count': u32(members, counts),
      'rows.start': u32(members, start),
    },
  };
}

/** Shapes: one row; 7 and 5 rows with an empty sequence; 33, 33 and no rows; more rows than a workgroup's invocations. */
export const SHAPES: readonly { readonly name: string; readonly lengths: Lengths }[] = [
  { name: '1 row', lengths: [[1]] },
  {
    name: '7 and 5 rows',
    lengths: [
      [4, 3, 0],
      [0, 1, 4],
    ],
  },
  {
    name: '33, 33 and 0 rows',
    lengths: [
      [12, 1, 20],
      [33, 0, 0],
      [0, 0, 0],
    ],
  },
  {
    name: '300 and 131 rows',
    lengths: [
      [90, 1, 209],
      [70, 61, 0],
    ],
  },
];

/** Lengths of `sequences` short trajectories for each of `members` members, 1 … 3 tokens each. */
export function manyShort(random: RandomStream, members: number, sequences: number): Lengths {
  return Array.from({ length: members }, () => Array.from({ length: sequences }, () => 1 + random.below(3)));
}

/** Legal sets as bit masks: set 0 is the full vocabulary, the others have token 0, and each other one with probability ½. */
export function legalSetTensor(random: RandomStream, sets: number, vocabulary: number): TensorSpec {
  const words = Math.ceil(vocabulary / 32);
  const masks = new Uint32Array(sets * words);
  for (let set = 0; set < sets; set++) {
    for (let v = 0; v < vocabulary; v++) {
      if (set > 0 && v > 0 && random.unit() < 0.5) continue;
      const word = set * words + (v >>> 5);
      masks[word] |= 1 << (v & 31);
    }
  }
  return u32(1, masks);
}

/** Replaces the token of every row by the next one that is legal in its set, as sampled tokens are. */
export function makeTokensLegal(rows: PackedRows, legalSets: TensorSpec, vocabulary: number): void {
  const words = Math.ceil(vocabulary / 32);
  const table = rows.tensors['rows.table'].data;
  rows.counts.forEach((count, p) => {
    for (let r = 0; r < count; r++) {
      const first = (p * rows.capacity + r) * ROW_FIELDS;
      const set = (table[first + 3] >>> 4) & 255;
      let token = table[first];
      const legal = (v: number): boolean => ((legalSets.data[set * words + (v >>> 5)] >>> (v & 31)) & 1) === 1;
      while (!legal(token)) token = (token + 1) % vocabulary;
      table[first] = token;
    }
  });
}

/** Chunks of trajectories that weight gradients are summed by. */
export const chunksOf = ({ sequences }: PackedRows): number => Math.ceil(sequences / GRADIENT_CHUNK);
