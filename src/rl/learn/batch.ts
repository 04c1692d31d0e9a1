/**
 * A batch on the device in the dense layout: [p, b, t] is the token at position t of trajectory b of member p, in every
 * microbatch (tensor/operations/batch.ts). The host writes the rollout's numbers; passes over the policy and the
 * objective's operations write the rest.
 */
import { isTarget, ROLES } from '../../foundation/roles';
import type { Backend, FloatData, Tensor } from '../../tensor/backend';
import { GROUP_COLUMNS, NO_ROLE, OUTCOME, OUTCOME_COLUMNS, REWARD_PARTS } from '../../tensor/columns';
import { TURN_PATH_COLUMNS } from '../../tensor/operations/advantage';
import type { Batch } from '../../tensor/operations/batch';
import type { Trajectories } from '../play/trajectories';

type F32 = Tensor<'f32'>;

/** Names of the dense tensors, [P, B, T] each. */
const DENSE = [
  'tokenReward',
  'behaviourLogProb',
  'oldLogProb',
  'oldEntropy',
  'oldValue',
  'sumOfSquares',
  'referenceLogProb',
  'logProb',
  'entropy',
  'advantage',
  'returns',
  'policyWeight',
  'actionWeight',
  'crossEntropyWeight',
  'selection',
] as const;

export type DenseName = (typeof DENSE)[number];

export interface BatchTensors extends Batch {
  readonly dense: Readonly<Record<DenseName, F32>>;
  /** Number of the state in which each turn began, u32 [P, B, M]. */
  readonly turnAnchor: Tensor<'u32'>;
  /** Numbers of the history before each turn and of its action, u32 [P, B, M, TURN_PATH_COLUMNS]. */
  readonly turnPath: Tensor<'u32'>;
  readonly turns: number;
  /** Numbers of each group, f32 [P, groups, GROUP_COLUMNS]. */
  readonly group: F32;
  readonly host: { readonly roles: Uint32Array; readonly outcomes: Float32Array };
}

export interface BatchSizes {
  readonly members: number;
  readonly groups: number;
  readonly groupSize: number;
  /** Tokens of a trajectory, T. */
  readonly context: number;
  /** M, largest number of turns of an episode. */
  readonly turns: number;
}

/** Floats that a member's batch takes, for planning. */
export function floatsPerBatch({ groups, groupSize, context, turns }: BatchSizes): number {
  const B = groups * groupSize;
  const ofTurns = turns * (1 + TURN_PATH_COLUMNS);
  return B * (context * (DENSE.length + 1) + OUTCOME_COLUMNS + ofTurns) + groups * GROUP_COLUMNS;
}

export function allocateBatch(backend: Backend, sizes: BatchSizes): BatchTensors {
  const { members: P, groups, groupSize, context: T, turns } = sizes;
  const B = groups * groupSize;
  const dense = (name: string) => backend.tensor(`batch.${name}`, 'f32', P, B * T);
  const groupStart = backend.tensor('batch.groupStart', 'u32', 1, groups + 1);
  backend.write(
    groupStart,
    Uint32Array.from({ length: groups + 1 }, (_, g) => g * groupSize),
  );
  return {
    roles: backend.tensor('batch.roles', 'u32', P, B * T),
    trajectories: B,
    context: T,
    groupStart,
    groups,
    outcomes: backend.tensor('batch.outcomes', 'f32', P, B * OUTCOME_COLUMNS),
    dense: Object.fromEntries(DENSE.map((name) => [name, dense(name)])) as Record<DenseName, F32>,
    turnAnchor: backend.tensor('batch.turnAnchor', 'u32', P, B * turns),
    turnPath: backend.tensor('batch.turnPath', 'u32', P, B * turns * TURN_PATH_COLUMNS),
    turns,
    group: backend.tensor('batch.group', 'f32', P, groups * GROUP_COLUMNS),
    host: { roles: new Uint32Array(P * B * T), outcomes: new Float32Array(P * B * OUTCOME_COLUMNS) },
  };
}

/** Columns of trajectories that are written to the device; the lab's own are float32. */
export type WrittenBatch = Pick<Trajectories, 'members' | 'lengths' | 'roles' | 'anchors' | 'turnPath' | 'turns'> & {
  readonly [Name in 'successes' | 'environments' | 'validShare' | 'baselines']: ArrayLike<number>;
} & {
  readonly [Name in 'parts' | 'tokenRewards' | 'behaviourLogProb']: FloatData;
} & { readonly replayed: Pick<Trajectories['replayed'], 'has'> };

/** Uploads the rollout's numbers. */
export function writeBatch(backend: Backend, batch: BatchTensors, trajectories: WrittenBatch): void {
  const { host, trajectories: B, context: T } = batch;
  const { members, lengths, roles, parts, successes, environments, validShare, turns, baselines, replayed } =
    trajectories;
  for (let i = 0; i < members * B; i++) {
    const from = i * T;
    const length = lengths[i];
    host.roles.fill(NO_ROLE, from, from + T);
    // Episodes of an earlier update have no part in the statistics and weights of this one: see replayLoss.ts.
    const isOwn = !replayed.has(i);
    for (let t = 1; t < length && isOwn; t++) host.roles[from + t] = roles[from + t];
    const row = host.outcomes.subarray(i * OUTCOME_COLUMNS, (i + 1) * OUTCOME_COLUMNS);
    row[OUTCOME.baseline] = baselines[i];
    row[OUTCOME.solved] = successes[i];
    row[OUTCOME.valid] = validShare[i];
    row[OUTCOME.environment] = environments[i];
    row[OUTCOME.turns] = turns[i];
    row[OUTCOME.usable] = isOwn ? 1 : 0;
    row.set(parts.subarray(i * REWARD_PARTS, (i + 1) * REWARD_PARTS), OUTCOME.part);
  }
  backend.write(batch.roles, host.roles);
  backend.write(batch.outcomes, host.outcomes);
  backend.write(batch.turnAnchor, trajectories.anchors);
  backend.write(batch.turnPath, trajectories.turnPath);
  backend.write(batch.dense.tokenReward, trajectories.tokenRewards);
  backend.write(batch.dense.behaviourLogProb, trajectories.behaviourLogProb);
}

/** Target tokens (position > 0) of each role, [P, ROLES]. */
export function countRoles(trajectories: Trajectories): Float64Array {
  const { members, count, context, lengths, roles } = trajectories;
  const counts = new Float64Array(members * ROLES.length);
  for (let i = 0; i < members * count; i++) {
    const first = Math.floor(i / count) * ROLES.length;
    for (let t = 1; t < lengths[i]; t++) {
      const role = roles[i * context + t];
      if (isTarget(role)) counts[first + role] += 1;
    }
  }
  return counts;
}
