/**
 * From trajectories to packed rows: the batch is cut into microbatches of whole trajectories, by what fits in memory. The
 * cut changes no number: gradients are summed by chunks of GRADIENT_CHUNK trajectories, and microbatches are whole chunks.
 */
import { LabError } from '../foundation/errors';
import { floatsPerDecodedTrajectory, floatsPerTrainingRow } from '../policy/activations';
import type { PolicyConfiguration } from '../policy/configuration';
import type { Backend, Sequences, Tensor } from '../tensor/backend';
import { TERM_COLUMNS } from '../tensor/columns/batch';
import { GRADIENT_CHUNK, metaRole, packMeta, ROW_FIELDS } from '../tensor/layout';
import { floatsPerBatch } from './batch';
import { objectiveScratch } from './lossWeights';
import type { Trajectories } from './trajectories';

export interface Plan {
  /** Trajectories per microbatch. */
  readonly trajectories: number;
  readonly microbatches: number;
  /** Gradient chunks per microbatch. */
  readonly chunks: number;
  readonly bytes: number;
}

/** Parameter-sized tensors of a member: parameters, reference, gradients, the world model's gradients, two moments. */
const PARAMETER_COPIES = 6;
/** Row-sized scalars of a microbatch: log-prob, entropy, log-sum-exp (2), Σ p², value, three derivatives; terms, segments. */
const SCALARS_PER_ROW = 9 + TERM_COLUMNS + 4;
/** Row-sized scalars kept for each microbatch: the table and the targets. */
const BATCH_SCALARS_PER_ROW = ROW_FIELDS + 1;

/** Hyperparameters, norms, sums, counts: too little to count one by one. */
const SCALARS_PER_MEMBER = 512;

export interface PlanSizes {
  readonly members: number;
  readonly trajectories: number;
  readonly parameters: number;
  readonly groups: number;
  /** Most turns of an episode. */
  readonly turns: number;
  /** Most tokens fed per trajectory and turn, and drawn. */
  readonly chunk: number;
  readonly maxActionTokens: number;
  /** Parameter-sized tensors besides those of training: of policies that play. */
  readonly actingCopies?: number;
}

/**
 * The largest microbatch that fits the backend's limits beside everything else training takes, and whose largest operation
 * is short (as far as whole chunks allow). Throws LabError 'limits', before any memory is taken, when not even one
 * chunk fits.
 */
export function planMicrobatches(
  limits: Backend['limits'],
  configuration: PolicyConfiguration,
  sizes: PlanSizes,
): Plan {
  const { members: P, trajectories: B, parameters: N } = sizes;
  const { width, vocabulary, context, layers } = configuration;
  const widest = Math.max(4 * width, vocabulary);
  const cache = B * context * 2 * width;
  const batch =
    floatsPerBatch({ ...sizes, groupSize: B / sizes.groups, context }) +
    objectiveScratch({ trajectories: B, context }, sizes.turns);
  const always = B * floatsPerDecodedTrajectory(configuration, sizes) + batch + SCALARS_PER_MEMBER;
  const cost = (chunks: number): { total: number; largest: number; flops: number } => {
    const trajectories = Math.min(chunks * GRADIENT_CHUNK, B);
    const rows = trajectories * context;
    const tables = Math.ceil(B / trajectories) * trajectories * (context * BATCH_SCALARS_PER_ROW + 2);
    const perRow = floatsPerTrainingRow(configuration) + SCALARS_PER_ROW;
    const sums = trajectories * TERM_COLUMNS;
    const copies = chunks + PARAMETER_COPIES + (sizes.actingCopies ?? 0);
    const total = 4 * P * (always + tables + rows * perRow + sums + copies * N);
    const largest = 4 * P * Math.max(rows * widest, chunks * N, layers > 0 ? cache : 0);
    return { total, largest, flops: 2 * P * rows * width * widest };
  };
  const all = Math.ceil(B / GRADIENT_CHUNK);
  const fits = (chunks: number): boolean => {
    const { total, largest } = cost(chunks);
    return total <= limits.memoryBudgetBytes && largest <= limits.maxTensorBytes;
  };
  for (let microbatches = 1; microbatches <= all; microbatches++) {
    const chunks = Math.ceil(all / microbatches);
    const short = cost(chunks).flops <= limits.maxOperationFlops || chunks === 1;
    if (short && fits(chunks)) {
      const trajectories = Math.min(chunks * GRADIENT_CHUNK, B);
      return { trajectories, microbatches: Math.ceil(B / trajectories), chunks, bytes: cost(chunks).total };
    }
  }
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MB`;
  throw new LabError(
    'limits',
    `This population needs ${megabytes(cost(1).total)}, and ${megabytes(cost(1).largest)} in one piece; this device is given ${megabytes(limits.memoryBudgetBytes)}, and ${megabytes(limits.maxTensorBytes)} in one piece.`,
    'Choose fewer seeds or arms, smaller groups, a narrower policy, or fewer layers.',
  );
}

export interface Microbatch {
  readonly rows: Sequences;
  /** First trajectory. */
  readonly first: number;
  /** u32 [P, R]: what the world-model loss pulls each target towards: its own token, or a placebo. */
  readonly targets: Tensor<'u32'>;
  readonly host: { table: Uint32Array; count: Uint32Array; start: Uint32Array; targets: Uint32Array };
}

export function allocateMicrobatch(
  backend: Backend,
  members: number,
  plan: Plan,
  index: number,
  context: number,
): Microbatch {
  const capacity = plan.trajectories * context;
  const u32 = (label: string, stride: number) => backend.tensor(`microbatch${index}.${label}`, 'u32', members, stride);
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

/**
 * Packs the microbatch's trajectories and uploads them. Trajectories past the batch's end become empty sequences.
 * targets [P, B, T]: tokens to pull towards instead of the trajectories' own (the placebo).
 */
export function packMicrobatch(
  backend: Backend,
  microbatch: Microbatch,
  trajectories: Trajectories,
  targets: Uint16Array = trajectories.tokens,
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
      for (let position = 0; position < (trajectories.lengths[trajectory] as number); position++, row++) {
        const from = trajectory * context + position;
        const to = (member * rows.capacity + row) * ROW_FIELDS;
        host.table[to] = trajectories.tokens[from] as number;
        host.table[to + 1] = position;
        host.table[to + 2] = base;
        host.table[to + 3] = packMeta(trajectories.roles[from] as number, trajectories.legalSets[from] as number, slot);
        host.targets[member * rows.capacity + row] = targets[from] as number;
      }
    }
    host.start[member * (rows.sequences + 1) + rows.sequences] = row;
    host.count[member] = row;
  }
  backend.write(rows.table, host.table);
  backend.write(rows.count, host.count);
  backend.write(rows.start, host.start);
  backend.write(microbatch.targets, host.targets);
}

/** Remembers what is packed; the result puts it back after other trajectories were. */
export function keepMicrobatch(backend: Backend, microbatch: Microbatch): () => void {
  const { rows, host, targets } = microbatch;
  const kept = {
    table: host.table.slice(),
    count: host.count.slice(),
    start: host.start.slice(),
    targets: host.targets.slice(),
  };
  return () => {
    host.table.set(kept.table);
    host.count.set(kept.count);
    host.start.set(kept.start);
    host.targets.set(kept.targets);
    backend.write(rows.table, kept.table);
    backend.write(rows.count, kept.count);
    backend.write(rows.start, kept.start);
    backend.write(targets, kept.targets);
  };
}

/** For an inner step that some members sit out: their rows count as none, the others' stay. */
export function restrictMicrobatch(backend: Backend, microbatch: Microbatch, active: Uint32Array): void {
  const { rows, host } = microbatch;
  const stride = rows.sequences + 1;
  backend.write(
    rows.count,
    host.count.map((count, member) => (active[member] === 0 ? 0 : count)),
  );
  backend.write(
    rows.start,
    host.start.map((row, i) => (active[Math.floor(i / stride)] === 0 ? 0 : row)),
  );
}

/** Makes targets of one role's tokens only: one at position 0 is nobody's target. The policy cannot be run meanwhile. */
export function restrictTargets(backend: Backend, { rows, host }: Microbatch, role: number): void {
  const table = host.table.slice();
  for (let row = 0; row < table.length; row += ROW_FIELDS) {
    if (metaRole(table[row + 3] as number) !== role) table[row + 1] = 0;
  }
  backend.write(rows.table, table);
}

/** After restrictTargets(): all are targets again. */
export function restoreTargets(backend: Backend, { rows, host }: Microbatch): void {
  backend.write(rows.table, host.table);
}
