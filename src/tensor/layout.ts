/**
 * The data layouts that TypeScript and kernels share: how a row of a forward pass is described, and which column of the
 * hyperparameter table is which. `shaders/layout.wgsl` holds the same numbers; a test compares the two.
 */
import { ADVANTAGE_COLUMNS } from './columns/advantage';
import { CRITIC_COLUMNS } from './columns/critic';
import { POLICY_COLUMNS } from './columns/policy';
import { WORLD_MODEL_COLUMNS } from './columns/worldModel';

/**
 * A row is one token of one trajectory, rows packed without padding. `rows` tensors are u32 [P, R, 4]:
 *   0 token      vocabulary index
 *   1 position   0-based index of the token in its trajectory
 *   2 keyBase    address (in rows of the key/value tensor) of the trajectory's position 0: its keys are keyBase … keyBase + position
 *   3 meta       role (bits 0–3) | legal set (bits 4–11) | sequence index (bits 12–31)
 * The sequence index addresses per-trajectory tensors such as advantages.
 */
export const ROW_FIELDS = 4;

export function packMeta(role: number, legalSet: number, sequence: number): number {
  return ((role & 15) | ((legalSet & 255) << 4) | (sequence << 12)) >>> 0;
}
export const metaRole = (meta: number): number => meta & 15;
export const metaLegalSet = (meta: number): number => (meta >>> 4) & 255;
export const metaSequence = (meta: number): number => meta >>> 12;

export const MAX_LEGAL_SETS = 256;
export const MAX_SEQUENCES = 1 << 20;

/** Columns of the hyperparameter tensor, f32 [P, HYPER_COLUMNS]: one row a member, written before an update. */
export const HYPER = {
  learningRate: 0,
  beta1: 1,
  beta2: 2,
  epsilon: 3,
  weightDecay: 4,
  maxGradNorm: 5,
  clipLow: 6,
  clipHigh: 7,
  klCoefficient: 8,
  entropyCoefficient: 9,
  temperature: 10,
  advantageEpsilon: 11,
  /** Policy-gradient weight of each role: column policyGradient + ROLE[role]. */
  policyGradient: 12,
  /** Cross-entropy weight of each role: column crossEntropy + ROLE[role]. */
  crossEntropy: 16,
  ...ADVANTAGE_COLUMNS,
  ...POLICY_COLUMNS,
  ...WORLD_MODEL_COLUMNS,
  ...CRITIC_COLUMNS,
} as const;

export const HYPER_COLUMNS = 128;

/**
 * Log-ratios are clamped to ± this before exp: e²⁰ ≈ 5e8 is far outside every clip, and a float32 exp overflows above 88
 * (infinity times an advantage of 0 would be NaN).
 */
export const LOG_RATIO_LIMIT = 20;

/** Trajectories per chunk: weight gradients are summed chunk by chunk, so the sum does not depend on the memory plan. */
export const GRADIENT_CHUNK = 16;
