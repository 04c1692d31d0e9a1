/**
 * The plan: how a batch is cut into microbatches of whole trajectories that fit in memory. The cut changes no number:
 * gradients are summed by chunks of GRADIENT_CHUNK trajectories, and microbatches are whole chunks.
 */
import { mebibytes } from '../foundation/bytes';
import { LabError } from '../foundation/errors';
import { floatsPerDecodedTrajectory, floatsPerTrainingRow, tilesHead } from '../policy/activations';
import { blockWidths, headsOf, type PolicyConfiguration } from '../policy/configuration';
import type { Backend } from '../tensor/backend';
import { TERM_COLUMNS } from '../tensor/columns';
import { headWidths } from '../tensor/heads';
import { GRADIENT_CHUNK, ROW_FIELDS } from '../tensor/layout';
import { floatsPerBatch } from './learn/batch';
import { objectiveScratch } from './learn/lossWeights';
import { floatsOfAttention } from './look/attention';
import { floatsOfResiduals } from './look/residuals';

export interface Plan {
  /** Trajectories per microbatch. */
  readonly trajectories: number;
  readonly microbatches: number;
  /** Gradient chunks per microbatch. */
  readonly chunks: number;
  readonly bytes: number;
  /** True where the backward pass computes activations a second time, for want of memory: the same numbers, a third slower. */
  readonly recomputes?: boolean;
  /** True where no logits are stored (tilesHead). */
  readonly isTiled?: boolean;
}

export interface MeasuredPlan extends Plan {
  readonly uses: MemoryUses;
}

/** Bytes of memory by their use. */
export interface MemoryUses {
  /** Weights below adapters, which all members share. */
  readonly frozen: number;
  /** Trained parameters, with their references, gradients and the optimiser's moments. */
  readonly trained: number;
  readonly activations: number;
  readonly logits: number;
  /** Caches of keys and values, episodes and the numbers of their tokens. */
  readonly episodes: number;
}

/** Parameter-sized tensors of a member: parameters, reference, gradients, the world model's gradients, two moments. */
const PARAMETER_COPIES = 6;
/** Row-sized scalars of a microbatch: log-prob, entropy, log-sum-exp (2), Σ p², value, three derivatives; terms, segments. */
const SCALARS_PER_ROW = 9 + TERM_COLUMNS + 4;
/** Row-sized scalars kept for each microbatch: the table and the targets. */
const BATCH_SCALARS_PER_ROW = ROW_FIELDS + 1;

/** Numbers of a part of a tensor beyond what is used: where it begins, and a workgroup of a pass over all parameters. */
const PART = 2048;

/** Bound on hyperparameters, norms, sums and counts: too small to count one by one. */
const SCALARS_PER_MEMBER = 512;

export interface PlanSizes {
  readonly members: number;
  readonly trajectories: number;
  readonly parameters: number;
  /** Most parameters that an operation uses at once (mostTogether). */
  readonly together: number;
  readonly groups: number;
  /** Largest number of turns of an episode. */
  readonly turns: number;
  /** Largest number of tokens per trajectory and turn, fed and drawn. */
  readonly chunk: number;
  readonly maxActionTokens: number;
  /** Parameter-sized tensors besides those of training, for policies that play. */
  readonly actingCopies?: number;
  /** Bytes of frozen weights, which all members share. */
  readonly frozen?: number;
}

/**
 * Plan with the largest microbatch that fits the backend's limits beside training's other memory, and whose largest
 * operation is short (as far as whole chunks allow); with recomputed activations where it does not fit otherwise. Throws LabError
 * 'limits', before any memory is taken, when not even one chunk fits.
 */
export function planMicrobatches(
  limits: Backend['limits'],
  configuration: PolicyConfiguration,
  sizes: PlanSizes,
): MeasuredPlan {
  const { members: P, trajectories: B, parameters: N } = sizes;
  const { width, vocabulary, context, layers } = configuration;
  const { qkv, up } = blockWidths(configuration);
  const isTiled = tilesHead(configuration);
  const widest = Math.max(up, qkv, isTiled ? 0 : vocabulary);
  const cache = B * context * 2 * headWidths(headsOf(configuration)).keys;
  const batch =
    floatsPerBatch({ ...sizes, groupSize: B / sizes.groups, context }) +
    objectiveScratch({ trajectories: B, context }, sizes.turns);
  const looking = floatsOfAttention(configuration) + floatsOfResiduals(configuration);
  const always = B * floatsPerDecodedTrajectory(configuration, sizes) + batch + looking + SCALARS_PER_MEMBER;
  const cost = (chunks: number, recomputes: boolean) => {
    const trajectories = Math.min(chunks * GRADIENT_CHUNK, B);
    const rows = trajectories * context;
    const tables = Math.ceil(B / trajectories) * trajectories * (context * BATCH_SCALARS_PER_ROW + 2);
    const perRow = floatsPerTrainingRow(configuration, recomputes) + SCALARS_PER_ROW;
    const sums = trajectories * TERM_COLUMNS;
    const copies = chunks + PARAMETER_COPIES + (sizes.actingCopies ?? 0);
    const logits = isTiled ? 0 : rows * vocabulary;
    const uses: MemoryUses = {
      frozen: sizes.frozen ?? 0,
      trained: 4 * P * copies * N,
      activations: 4 * P * (rows * perRow - logits),
      logits: 4 * P * logits,
      episodes: 4 * P * (always + tables + sums),
    };
    const total = Object.values(uses).reduce((sum, bytes) => sum + bytes, 0);
    const activations = P * Math.max(rows * widest, layers > 0 ? cache : 0);
    const largest = 4 * Math.max(activations, P * chunks * N);
    // Operations use a part of the parameters and gradients at a time, and all of other tensors.
    const used = 4 * Math.max(activations, Math.min(P * chunks * N, (chunks - 1) * N + sizes.together + PART));
    return { uses, total, largest, used, flops: 2 * P * rows * width * widest };
  };
  const mostChunks = Math.ceil(B / GRADIENT_CHUNK);
  const fits = (chunks: number, recomputes: boolean): boolean => {
    const { total, largest, used } = cost(chunks, recomputes);
    return total <= limits.memoryBudgetBytes && largest <= limits.maxTensorBytes && used <= limits.maxBindingBytes;
  };
  for (const recomputes of [false, true]) {
    for (let microbatches = 1; microbatches <= mostChunks; microbatches++) {
      const chunks = Math.ceil(mostChunks / microbatches);
      const short = cost(chunks, recomputes).flops <= limits.maxOperationFlops || chunks === 1;
      if (!short || !fits(chunks, recomputes)) continue;
      const trajectories = Math.min(chunks * GRADIENT_CHUNK, B);
      const { total: bytes, uses } = cost(chunks, recomputes);
      return { trajectories, microbatches: Math.ceil(B / trajectories), chunks, bytes, uses, recomputes, isTiled };
    }
  }
  const { total, largest, used } = cost(1, true);
  const [needs, has] = [
    [total, largest, used],
    [limits.memoryBudgetBytes, limits.maxTensorBytes, limits.maxBindingBytes],
  ].map((sizes) => sizes.map(mebibytes));
  throw new LabError(
    'limits',
    `This population needs ${needs[0]}, ${needs[1]} in one piece and ${needs[2]} at a time; this device is given ${has[0]}, ${has[1]} in one piece and ${has[2]} at a time.`,
    `Choose fewer seeds or arms, smaller groups, a narrower policy, or fewer layers; of a language model train adapters${used > limits.maxBindingBytes ? ', or choose the CPU' : ''}.`,
  );
}
