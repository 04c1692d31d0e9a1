/** Microbatches: a batch on the device as packed rows of whole trajectories, cut as planned. */
import type { Backend, Sequences, Tensor } from '../../tensor/backend';
import { metaRole, packMeta, ROW_FIELDS } from '../../tensor/layout';
import type { Plan } from '../plan';
import type { Trajectories } from '../play/trajectories';
import type { TakingPart } from './minibatches';

export interface Microbatch {
  readonly rows: Sequences;
  /** First trajectory of the microbatch. */
  readonly first: number;
  /** u32 [P, R]: token that the world-model loss pulls each target towards, its own or a placebo. */
  readonly targets: Tensor<'u32'>;
  readonly host: { table: Uint32Array; count: Uint32Array; start: Uint32Array; targets: Uint32Array };
}

export function allocateMicrobatch(
  backend: Backend,
  members: number,
  plan: Plan,
  index: number,
  context: number,
  name = 'microbatch',
): Microbatch {
  const capacity = plan.trajectories * context;
  const u32 = (label: string, stride: number) => backend.tensor(`${name}${index}.${label}`, 'u32', members, stride);
  return {
    rows: {
      table: u32('rows', capacity * ROW_FIELDS),
      count: u32('count', 1),
      start: u32('start', plan.trajectories + 1),
      capacity,
      sequences: plan.trajectories,
    },
    first: index * plan.trajectories,
    targets: u32('targets', capacity),
    host: {
      table: new Uint32Array(members * capacity * ROW_FIELDS),
      count: new Uint32Array(members),
      start: new Uint32Array(members * (plan.trajectories + 1)),
      targets: new Uint32Array(members * capacity),
    },
  };
}

/** Columns of trajectories that are packed into rows. */
export type Packed = Pick<Trajectories, 'members' | 'count' | 'context' | 'lengths' | 'tokens' | 'roles' | 'legalSets'>;

/**
 * Packs the microbatch's trajectories and uploads them. Sequences past the batch's end are empty.
 * targets [P, B, T]: tokens to pull towards instead of the trajectories' own (the placebo).
 */
export function packMicrobatch(
  backend: Backend,
  microbatch: Microbatch,
  trajectories: Packed,
  targets: Packed['tokens'] = trajectories.tokens,
): void {
  const { rows, first, host } = microbatch;
  const { members, count, context } = trajectories;
  for (let member = 0; member < members; member++) {
    let row = 0;
    for (let sequence = 0; sequence < rows.sequences; sequence++) {
      host.start[member * (rows.sequences + 1) + sequence] = row;
      const slot = first + sequence;
      if (slot >= count) continue;
      const trajectory = member * count + slot;
      const base = row;
      for (let position = 0; position < trajectories.lengths[trajectory]; position++, row++) {
        const from = trajectory * context + position;
        const to = (member * rows.capacity + row) * ROW_FIELDS;
        host.table[to] = trajectories.tokens[from];
        host.table[to + 1] = position;
        host.table[to + 2] = base;
        host.table[to + 3] = packMeta(trajectories.roles[from], trajectories.legalSets[from], slot);
        host.targets[member * rows.capacity + row] = targets[from];
      }
    }
    host.start[member * (rows.sequences + 1) + rows.sequences] = row;
    host.count[member] = row;
  }
  layWhole(backend, microbatch);
}

/** Uploads the packed rows of all trajectories. */
export function layWhole(backend: Backend, { rows, targets, host }: Microbatch): void {
  backend.write(rows.table, host.table);
  backend.write(rows.count, host.count);
  backend.write(rows.start, host.start);
  backend.write(targets, host.targets);
}

/** Copies the packed rows; the result writes them back after other trajectories were packed. */
export function keepMicrobatch(backend: Backend, microbatch: Microbatch): () => void {
  const { host } = microbatch;
  const before = {
    table: host.table.slice(),
    count: host.count.slice(),
    start: host.start.slice(),
    targets: host.targets.slice(),
  };
  return () => {
    host.table.set(before.table);
    host.count.set(before.count);
    host.start.set(before.start);
    host.targets.set(before.targets);
    layWhole(backend, microbatch);
  };
}

/**
 * Empties the sequences that sit out an inner step; `parts`: [P]. Where some of a member's trajectories take
 * part, their rows move to the front, until layWhole() lays all of them again.
 */
export function restrictMicrobatch(backend: Backend, microbatch: Microbatch, parts: readonly TakingPart[]): void {
  const { rows, targets, host } = microbatch;
  const stride = rows.sequences + 1;
  const count = host.count.map((used, member) => (parts[member] === 'none' ? 0 : used));
  const start = host.start.map((row, i) => (parts[Math.floor(i / stride)] === 'none' ? 0 : row));
  const moved = parts.some((part) => typeof part !== 'string')
    ? { table: host.table.slice(), targets: host.targets.slice() }
    : null;
  parts.forEach((part, member) => {
    if (moved === null || typeof part === 'string') return;
    count[member] = 0;
    for (let sequence = 0; sequence < rows.sequences; sequence++) {
      const at = member * stride + sequence;
      start[at] = count[member];
      if (part[microbatch.first + sequence] !== 1) continue;
      for (let row = host.start[at]; row < host.start[at + 1]; row++, count[member]++) {
        const [from, to] = [member * rows.capacity + row, member * rows.capacity + count[member]];
        moved.table.set(host.table.subarray(from * ROW_FIELDS, (from + 1) * ROW_FIELDS), to * ROW_FIELDS);
        moved.table[to * ROW_FIELDS + 2] = start[at];
        moved.targets[to] = host.targets[from];
      }
    }
    start[member * stride + rows.sequences] = count[member];
  });
  backend.write(rows.count, count);
  backend.write(rows.start, start);
  if (moved === null) return;
  backend.write(rows.table, moved.table);
  backend.write(targets, moved.targets);
}

/** Keeps only one role's tokens as targets, by setting the others' position to 0. The policy cannot be run meanwhile. */
export function restrictTargets(backend: Backend, { rows, host }: Microbatch, role: number): void {
  const table = host.table.slice();
  for (let row = 0; row < table.length; row += ROW_FIELDS) {
    if (metaRole(table[row + 3]) !== role) table[row + 1] = 0;
  }
  backend.write(rows.table, table);
}

/** Undoes restrictTargets(). */
export function restoreTargets(backend: Backend, { rows, host }: Microbatch): void {
  backend.write(rows.table, host.table);
}
