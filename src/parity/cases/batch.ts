/**
 * Dense batches for cases (tensor/operations/batch.ts): roles drawn turn by turn, groups of different sizes, and tensors
 * [P, B, T] that are NaN where no operation may read.
 */
import type { RandomStream } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import { GROUP, GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS } from '../../tensor/columns';
import { metaRole, metaSequence, ROW_FIELDS } from '../../tensor/layout';
import type { Batch } from '../../tensor/operations/batch';
import { type CaseTensors, f32, type TensorSpec, u32 } from './case';
import { batchSize, type PackedRows } from './rows';

export interface DenseBatch {
  readonly members: number;
  readonly trajectories: number;
  readonly context: number;
  readonly groups: number;
  readonly tensors: Record<'batch.roles' | 'batch.groupStart' | 'batch.outcomes' | 'group', TensorSpec>;
}

/**
 * Groups of the given sizes. A trajectory is a prompt and turns of random lengths, some without observation or action,
 * some with thoughts.
 */
export function denseBatch(
  random: RandomStream,
  sizes: { readonly members: number; readonly groups: readonly number[]; readonly context: number },
): DenseBatch {
  const { members, context } = sizes;
  const trajectories = sizes.groups.reduce((a, b) => a + b, 0);
  const roles = new Uint32Array(members * trajectories * context).fill(NO_ROLE);
  for (let i = 0; i < members * trajectories; i++) {
    const own = roles.subarray(i * context, (i + 1) * context);
    const length = random.below(6) === 0 ? Math.min(2, context) : 1 + random.below(context);
    let at = 0;
    const put = (role: number, tokens: number): void => {
      for (let k = 0; k < tokens && at < length; k++) own[at++] = role;
    };
    put(ROLE.prompt, 1 + random.below(3));
    while (at < length) {
      put(ROLE.thought, random.below(3) === 0 ? 2 : 0);
      put(ROLE.action, random.below(3));
      put(ROLE.warning, random.below(4) === 0 ? 2 : 0);
      put(ROLE.observation, random.below(4));
    }
    own[0] = NO_ROLE;
  }
  const outcomes = new Float32Array(members * trajectories * OUTCOME_COLUMNS).fill(Number.NaN);
  for (let i = 0; i < members * trajectories; i++) {
    outcomes[i * OUTCOME_COLUMNS + OUTCOME.solved] = random.below(2);
    outcomes[i * OUTCOME_COLUMNS + OUTCOME.valid] = random.below(5) / 4;
    outcomes[i * OUTCOME_COLUMNS + OUTCOME.usable] = random.below(4) > 0 ? 1 : 0;
  }
  const groups = sizes.groups.length;
  const group = new Float32Array(members * groups * GROUP_COLUMNS).fill(Number.NaN);
  for (let i = 0; i < members * groups; i++) {
    group[i * GROUP_COLUMNS + GROUP.mean] = random.unit() * 1.4 - 0.2;
    group[i * GROUP_COLUMNS + GROUP.kept] = random.below(2);
  }
  const starts = [0];
  for (const size of sizes.groups) starts.push((starts.at(-1) as number) + size);
  return {
    members,
    trajectories,
    context,
    groups,
    tensors: {
      'batch.roles': u32(members, roles),
      'batch.groupStart': u32(1, starts),
      'batch.outcomes': f32(members, outcomes),
      group: f32(members, group),
    },
  };
}

/** The batch as an argument of operations. */
export function batchOf(t: CaseTensors, { trajectories, context, groups }: DenseBatch): Batch {
  return {
    roles: t.u32('batch.roles'),
    groupStart: t.u32('batch.groupStart'),
    outcomes: t.f32('batch.outcomes'),
    trajectories,
    context,
    groups,
  };
}

/** One number for each token of a batch whose role is in `asked`; NaN for all others. */
export function denseValues(
  { members, tensors }: DenseBatch,
  value: (role: number) => number,
  asked: readonly number[],
): TensorSpec {
  const roles = tensors['batch.roles'].data;
  return f32(
    members,
    Array.from(roles, (role) => (asked.includes(role) ? value(role) : Number.NaN)),
  );
}

/** Dense tensor [P, B, T] with a number for each target of a row table, given its row; NaN elsewhere. T: see contextOf(). */
export function denseOfRows(
  rows: PackedRows,
  context: number,
  value: (row: { readonly p: number; readonly r: number; readonly role: number }) => number,
): TensorSpec {
  const { members, capacity, counts } = rows;
  const stride = batchSize(rows.sequences) * context;
  const data = new Float32Array(members * stride).fill(Number.NaN);
  const table = rows.tensors['rows.table'].data;
  counts.forEach((count, p) => {
    for (let r = 0; r < count; r++) {
      const first = (p * capacity + r) * ROW_FIELDS;
      const [position, meta] = [table[first + 1], table[first + 3]];
      if (position === 0) continue;
      data[p * stride + metaSequence(meta) * context + position] = value({ p, r, role: metaRole(meta) });
    }
  });
  return f32(members, data);
}

/** T: one more than the longest trajectory of a row table. */
export function contextOf(rows: PackedRows): number {
  const table = rows.tensors['rows.table'].data;
  let longest = 1;
  rows.counts.forEach((count, p) => {
    for (let r = 0; r < count; r++) {
      longest = Math.max(longest, table[(p * rows.capacity + r) * ROW_FIELDS + 1] + 1);
    }
  });
  return longest + 1;
}
