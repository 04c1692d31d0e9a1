/**
 * Data layouts that TypeScript and kernels share: the description of a row, and the columns of the hyperparameter
 * table. The shaders' `constants.wgsl` is made from the same numbers (webgpu/constants.ts).
 */
export { HYPER, HYPER_COLUMNS } from '../hyperparameters/columns';

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

/** Trajectories per chunk: weight gradients are summed chunk by chunk, so the sum does not depend on the memory plan. */
export const GRADIENT_CHUNK = 16;

/** Base of the angles of rotary positions, where nothing else is said (RoFormer, arXiv 2104.09864). */
export const ROTARY_THETA = 10_000;
