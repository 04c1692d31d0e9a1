/**
 * The contract between the lab's mathematics and the machine that runs it: tensors with a population axis, about 40
 * operations, and programs recorded once and run many times. `reference/` meets it in plain float64 TypeScript and is
 * the oracle of every test; `webgpu/` meets it with the kernels in shaders/; `cpu/` with WebAssembly SIMD.
 *
 * Shapes: P members, R row capacity, S sequences (trajectories) of a microbatch, C width, H heads, V vocabulary,
 * T context, N parameters of a member. Every tensor is [members, stride]; a tensor with one member is shared by all.
 * "rows" and "sequenceStart" are described in layout.ts: rows are packed, row r of member p is in use when
 * r < rowCount[p]; what lies beyond is unspecified and never read by an operation that respects rowCount. All
 * operations with a `rows` argument do. The contract about order: whatever is submitted by write, run and read takes
 * effect in that order. Nothing in an operation depends on another member: a member's numbers are the same bit for bit
 * alone and in a population. Sums have a fixed order; there are no float atomics.
 */
import type { LabError } from '../foundation/errors';
import type { AdvantageOperations } from './operations/advantage';
import type { LogProbOperations } from './operations/logProb';
import type { PolicyObjectiveOperations } from './operations/policyObjective';
import type { WorldModelOperations } from './operations/worldModel';

export type ElementType = 'f32' | 'u32';

/** Opaque storage owned by one backend. */
export interface Tensor<E extends ElementType = ElementType> {
  readonly label: string;
  readonly type: E;
  readonly members: number;
  /** Elements per member. */
  readonly stride: number;
}

/** A parameter inside a [P, N] tensor: member p's values are at p·N + offset (offset is a multiple of 4). */
export interface ParameterView {
  readonly tensor: Tensor<'f32'>;
  readonly offset: number;
  readonly shape: readonly number[];
}

export type FloatData = Float32Array<ArrayBufferLike> | Float64Array<ArrayBufferLike>;
export type TensorData<E extends ElementType> = E extends 'f32' ? FloatData : Uint32Array<ArrayBufferLike>;

/** 'gelu' is the tanh form of GPT-2: x/2 · (1 + tanh(√(2/π)·(x + 0.044715·x³))). relu′(0) = 0. */
export type Activation = 'none' | 'relu' | 'gelu';

/** Which tokens a pass processes. */
export interface Rows {
  /** u32 [P, capacity, 4], see layout.ts. */
  readonly table: Tensor<'u32'>;
  /** u32 [P, 1]: rows in use. */
  readonly count: Tensor<'u32'>;
  readonly capacity: number;
}

/**
 * Rows grouped into whole trajectories: sequence s of member p owns rows start[p, s] … start[p, s + 1] − 1. s counts
 * within this microbatch; the sequence index in a row's meta counts within the whole batch (it addresses advantages) and
 * must not be used to index `start`. In training rows, keyBase = start[p, s]: rows of one sequence share their keyBase.
 */
export interface Sequences extends Rows {
  /** u32 [P, S + 1]. */
  readonly start: Tensor<'u32'>;
  readonly sequences: number;
}

/** A recorded list of operations; running it again repeats them on whatever the tensors then hold. */
export interface Program {
  readonly label: string;
  readonly operations: number;
}

/** A tensor without memory of its own: it shows a buffer that another program on the same device has filled. */
export interface BorrowedTensor extends Tensor<'f32'> {
  /**
   * Programs read this buffer itself from now on; nothing is copied. Its first elements are the tensor's, and those that
   * it lacks are never read by operations that respect rowCount. It may be destroyed once what reads it was submitted.
   */
  show(buffer: GPUBuffer): void;
}

/** Elements copied from one place to another, four bytes each. */
export interface CopiedRange {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/** The device that a backend computes on, for another program that leaves its results there. */
export interface SharedGpu {
  readonly device: GPUDevice;
  /** "Apple M2", "SwiftShader (software)". */
  readonly description: string;
  /** One member; programs may only read it. `stride`: the most elements that will be shown, a multiple of 4. */
  borrowed(label: string, stride: number): BorrowedTensor;
  /** From the other program's buffer into a tensor, on the device. */
  copy(target: Tensor<'f32'>, source: GPUBuffer, ranges: readonly CopiedRange[]): void;
}

export interface BackendLimits {
  /** Largest single tensor, bytes. */
  readonly maxTensorBytes: number;
  /** What a training plan should stay under in total, bytes. */
  readonly memoryBudgetBytes: number;
  /** Floating-point operations one operation should stay under, where a watchdog resets what takes long; else Infinity. */
  readonly maxOperationFlops: number;
}

export interface Backend {
  readonly kind: 'webgpu' | 'cpu' | 'reference';
  /** What it runs on, for the person: "Apple M2 GPU", "SwiftShader (software)". */
  readonly description: string;
  readonly limits: BackendLimits;
  /** Null where there is none. */
  readonly sharedGpu: SharedGpu | null;
  /** Bytes of tensors alive. */
  readonly allocatedBytes: number;
  /** Resolves when the device is gone for a reason other than dispose(). Never rejects. */
  readonly lost: Promise<LabError>;

  /** Zero-filled. Throws LabError 'limits' or 'out-of-memory'. */
  tensor<E extends ElementType>(label: string, type: E, members: number, stride: number): Tensor<E>;
  /** Copies `data` to elements offset … of the whole tensor ([members · stride] flat). */
  write<E extends ElementType>(tensor: Tensor<E>, data: TensorData<E>, offset?: number): void;
  /** Values after everything submitted so far, flat [members · stride]; one transfer for all tensors asked for. */
  read<const L extends readonly Tensor[]>(...tensors: L): Promise<{ [I in keyof L]: TensorData<L[I]['type']> }>;
  /** Records operations for a population of `members`; allocates no tensor. */
  record(label: string, members: number, build: (operations: Operations) => void): Program;
  /** Compiles what the programs recorded so far need. */
  prepare(onProgress?: (done: number, total: number) => void): Promise<void>;
  /** Submits the programs in order, as one submission. */
  run(...programs: readonly Program[]): void;
  dispose(): void;
}

/**
 * The operations. Argument order: outputs, inputs, sizes. "=" writes every row in use; "+=" adds to what is there.
 * Where `accumulate` is given, true means "+=".
 */
export interface Operations
  extends LogProbOperations,
    AdvantageOperations,
    PolicyObjectiveOperations,
    WorldModelOperations {
  // ---- policy, forward -------------------------------------------------------------------------------------------

  /** out[r] = tokens[token_r] + (positions ? positions[position_r] : 0). out [P,R,C], tokens [V,C], positions [T,C]. */
  embed(out: Tensor<'f32'>, rows: Rows, tokens: ParameterView, positions: ParameterView | null): void;

  /** out = gamma·(x − mean)·rstd + beta over the last axis, ε = 1e-5; stats [P,R,2] keeps (mean, rstd). x, out [P,R,C]. */
  layerNorm(
    out: Tensor<'f32'>,
    stats: Tensor<'f32'>,
    x: Tensor<'f32'>,
    rows: Rows,
    gamma: ParameterView,
    beta: ParameterView,
  ): void;

  /**
   * out (=|+=) act(x)·weight + bias. x [P,R,K], weight [K,N], bias [N] or null, out [P,R,N]. K and N multiples of 4.
   * The activation is applied to the input, so that the pre-activation is what is kept for the backward pass.
   */
  linear(
    out: Tensor<'f32'>,
    x: Tensor<'f32'>,
    rows: Rows,
    weight: ParameterView,
    bias: ParameterView | null,
    options?: { inputActivation?: Activation; accumulate?: boolean },
  ): void;

  /**
   * Rotates query and key pairs (2i, 2i+1) of each head by position·base^(−2i/D), D = C/H, base 10,000 (RoFormer,
   * arXiv 2104.09864), in place over qkv [P,R,3C]; direction −1 rotates back (the backward pass of gradients).
   */
  rotary(qkv: Tensor<'f32'>, rows: Rows, heads: number, direction: 1 | -1): void;

  /** cache[keyBase_r + position_r] = (key_r, value_r): qkv [P,R,3C] → cache [P,capacity,2C]. */
  storeKeyValue(cache: Tensor<'f32'>, qkv: Tensor<'f32'>, rows: Rows): void;

  /**
   * Causal attention: row r attends to its trajectory's positions 0 … position_r, scale 1/√D. Queries are qkv[…, 0:C].
   * Keys and values: with a cache [P,·,2C] at row address keyBase + t (decoding), else (cache null) in qkv itself at
   * row keyBase + t. out [P,R,C]; logSumExp [P,R,H] of the scaled scores.
   */
  attention(
    out: Tensor<'f32'>,
    logSumExp: Tensor<'f32'>,
    qkv: Tensor<'f32'>,
    cache: Tensor<'f32'> | null,
    rows: Rows,
    heads: number,
  ): void;

  /**
   * What attention weighs the values with, given its logSumExp: for i < picks.count, r = field 0 of pick i and each head,
   * out[i, h, t] = exp(q_r·k_t/√D − logSumExp[r, h]) for t ≤ position_r, and 0 beyond; keys at row keyBase_r + t of qkv.
   * out [P, capacity of picks, H, T], T its stride / (capacity · H); qkv [P,R,3C]; logSumExp [P,R,H].
   */
  attentionProbabilities(
    out: Tensor<'f32'>,
    qkv: Tensor<'f32'>,
    logSumExp: Tensor<'f32'>,
    picks: Rows,
    rows: Rows,
    heads: number,
  ): void;

  /** out[i] = x[index_i] for i < pick.count: x [P,R,C], picks [P,capacity,4] field 0 = row. Used to keep last rows only. */
  gatherRows(out: Tensor<'f32'>, x: Tensor<'f32'>, picks: Rows): void;

  // ---- policy, backward ------------------------------------------------------------------------------------------
  // Weight gradients are partial sums per chunk of GRADIENT_CHUNK trajectories, written (=) to
  // partials [P, chunks, N] at the parameter's own offset; reduceChunks adds them up in order.

  /** value[r] = hidden[r − 1]·weight + bias for target rows (position > 0), else 0: the critic's value of the state before token r. value [P,R], hidden [P,R,C], weight [C], bias [1]. */
  valueHead(value: Tensor<'f32'>, hidden: Tensor<'f32'>, rows: Rows, weight: ParameterView, bias: ParameterView): void;

  /** dHidden (+=) and the head's gradient, per chunk into partials, of valueHead. dValue [P,R], dHidden [P,R,C]. */
  valueHeadBackward(
    dHidden: Tensor<'f32'>,
    partials: Tensor<'f32'>,
    dValue: Tensor<'f32'>,
    hidden: Tensor<'f32'>,
    rows: Sequences,
    weight: ParameterView,
    bias: ParameterView,
  ): void;

  /** dTokens[v] = Σ dx over rows with that token, dPositions[t] likewise, per chunk. */
  embedBackward(
    partials: Tensor<'f32'>,
    dx: Tensor<'f32'>,
    rows: Sequences,
    tokens: ParameterView,
    positions: ParameterView | null,
  ): void;

  /** dx (=|+=) the gradient through layerNorm; dGamma and dBeta per chunk into partials. All [P,R,C]. */
  layerNormBackward(
    dx: Tensor<'f32'>,
    partials: Tensor<'f32'>,
    dOut: Tensor<'f32'>,
    x: Tensor<'f32'>,
    stats: Tensor<'f32'>,
    rows: Sequences,
    gamma: ParameterView,
    beta: ParameterView,
    options: { accumulate: boolean },
  ): void;

  /** dx (=|+=) (dOut·weightᵀ) ⊙ act′(x). dOut [P,R,N], dx [P,R,K]; x is read only when inputActivation is not 'none'. */
  linearBackwardInput(
    dx: Tensor<'f32'>,
    dOut: Tensor<'f32'>,
    x: Tensor<'f32'>,
    rows: Rows,
    weight: ParameterView,
    options?: { inputActivation?: Activation; accumulate?: boolean },
  ): void;

  /** dWeight = act(x)ᵀ·dOut and dBias = Σ dOut, per chunk into partials. */
  linearBackwardWeight(
    partials: Tensor<'f32'>,
    x: Tensor<'f32'>,
    dOut: Tensor<'f32'>,
    rows: Sequences,
    weight: ParameterView,
    bias: ParameterView | null,
    options?: { inputActivation?: Activation },
  ): void;

  /** dqkv (=) the gradient of attention without a cache. out, dOut [P,R,C]; qkv, dqkv [P,R,3C]; logSumExp [P,R,H]. */
  attentionBackward(
    dqkv: Tensor<'f32'>,
    dOut: Tensor<'f32'>,
    out: Tensor<'f32'>,
    logSumExp: Tensor<'f32'>,
    qkv: Tensor<'f32'>,
    rows: Sequences,
    heads: number,
  ): void;

  /** gradients[i] (=|+=) partials[chunk 0, i] + partials[chunk 1, i] + …, added one after the other in chunk order. */
  reduceChunks(
    gradients: Tensor<'f32'>,
    partials: Tensor<'f32'>,
    chunks: number,
    options: { accumulate: boolean },
  ): void;

  // ---- masked log-prob -------------------------------------------------------------------------------------------
  // Everything is indexed by the target token: row r (position > 0) is predicted by the logits of row r − 1. A target
  // is *needed* when its role is action, observation or warning (always measured) or has a non-zero weight in hyper;
  // a row that is not needed, and position 0, gives exactly 0 and its logits are not read (NaN there cannot matter).

  /**
   * logProb[r] = log softmax(z)[token_r] and entropy[r] = −Σ p log p, in one reading of the logits. For action rows z =
   * logits[r−1]/temperature restricted to the row's legal set; for all other roles z = logits[r−1], full vocabulary,
   * temperature 1. logits [P,R,S]: a row is S = logits.stride / R long, a multiple of 4, and holds `vocabulary` ≤ S
   * tokens, any number from 1; what lies beyond is not looked at. legalSets is u32 [1, sets·ceil(vocabulary/32)] bit
   * masks; set 0 is the full vocabulary. entropy [P,R]. logSumExp [P,R,2] = (m, log Σ exp(z − m/temperature)) with m the
   * set's largest logit: kept apart, since the sum of the two is rounded to 5e-4 where logits are near ±1e4.
   * targets u32 [P,R,K] or null: K tokens a row in place of its own one, all from one softmax; logProb is [P,R,K], K = 1
   * without them. A token outside the legal set, or with a logit of −∞, has log-prob −∞.
   */
  maskedLogProb(
    logProb: Tensor<'f32'>,
    entropy: Tensor<'f32'>,
    logSumExp: Tensor<'f32'>,
    logits: Tensor<'f32'>,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: Tensor<'f32'>,
    vocabulary: number,
    targets?: Tensor<'u32'> | null,
  ): void;

  /**
   * In place, logits → d loss / d logits: at row r − 1, [Σ_k dLogProb_rk·(onehot_k − p) − dEntropy_r·p·(log p +
   * entropy_r)] / temperature_r over the row's legal set, 0 elsewhere and beyond the vocabulary; a token outside the legal
   * set has no onehot. Rows whose next row is not a needed target, or has all derivatives 0, become 0. dLogProb [P,R,K];
   * targets as in maskedLogProb, and not necessarily the same.
   */
  maskedLogProbBackward(
    logits: Tensor<'f32'>,
    dLogProb: Tensor<'f32'>,
    dEntropy: Tensor<'f32'>,
    entropy: Tensor<'f32'>,
    logSumExp: Tensor<'f32'>,
    rows: Rows,
    legalSets: Tensor<'u32'>,
    hyper: Tensor<'f32'>,
    vocabulary: number,
    targets?: Tensor<'u32'> | null,
  ): void;

  /**
   * Draws one token per pick by inverse CDF from softmax(logits/temperature) restricted to the pick's legal set.
   * picks [P,capacity,4]: (row of x it came from, position of the token to draw, trajectory, meta with the legal set).
   * u = Philox(key = (key[0], key[1]), counter = (seedIndex[p], key[2], trajectory, position)); the token is the first legal v, in vocabulary
   * order, whose cumulative probability exceeds u (the last legal one if rounding leaves none). key u32 [1,4] = (experiment seed, stream, update, 0).
   * token, logProb: [P, capacity], written for i < count.
   */
  sample(
    token: Tensor<'u32'>,
    logProb: Tensor<'f32'>,
    logits: Tensor<'f32'>,
    picks: Rows,
    legalSets: Tensor<'u32'>,
    hyper: Tensor<'f32'>,
    key: Tensor<'u32'>,
    seedIndex: Tensor<'u32'>,
    vocabulary: number,
  ): void;

  /**
   * Prepares the next token of multi-token actions, after `sample`: rows[i] = (token_i, position_i, trajectory_i·context, meta_i) and
   * picks[i].position += 1, picks[i].row = i, for picks whose action had not ended, left[i] > 0 before this call (so its last token gets
   * its row too); then left[i] is 0 if token_i is `stopToken`, else one less. A pick that had ended before keeps its row and position
   * (its row is recomputed to the same values). Rows count = picks count. `sampled[step·capacity + i]` and
   * `sampledLogProb` likewise get the drawn token and log-prob, or 0xffffffff and 0 once ended. left u32 [P,capacity]: the most tokens of each action, written by the caller.
   */
  continueAction(
    rows: Rows,
    picks: Rows,
    left: Tensor<'u32'>,
    sampled: Tensor<'u32'>,
    sampledLogProb: Tensor<'f32'>,
    token: Tensor<'u32'>,
    logProb: Tensor<'f32'>,
    sizes: { step: number; stopToken: number; context: number },
  ): void;

  // ---- optimiser -------------------------------------------------------------------------------------------------

  /** norm[p] = ‖a‖₂, or ‖a − b‖₂ when b is given. a, b [P,N]; norm [P,1]; scratch [P, ≥ ceil(N/1024)]. */
  gradientNorm(norm: Tensor<'f32'>, scratch: Tensor<'f32'>, a: Tensor<'f32'>, b: Tensor<'f32'> | null): void;

  /**
   * AdamW (arXiv 1711.05101) after clipping by global norm: g·min(1, maxGradNorm/(norm + 1e-6)), bias-corrected moments, decoupled decay
   * θ −= lr·weightDecay·θ first. Members with active[p] = 0, or whose norm is not finite, take no step: parameters,
   * moments and step stay, bit for bit. step f32 [P,1] is incremented first for those that do.
   */
  adamW(
    parameters: Tensor<'f32'>,
    firstMoment: Tensor<'f32'>,
    secondMoment: Tensor<'f32'>,
    step: Tensor<'f32'>,
    gradients: Tensor<'f32'>,
    norm: Tensor<'f32'>,
    hyper: Tensor<'f32'>,
    active: Tensor<'u32'>,
  ): void;

  // ---- plumbing --------------------------------------------------------------------------------------------------

  /** Every element = value. */
  fill(tensor: Tensor<'f32'>, value: number): void;
  /** target = source; same type, members and stride. */
  copy(target: Tensor, source: Tensor): void;
  /** target[p] = source[p] where active[p] ≠ 0; same members and stride. */
  copyMembers(target: Tensor<'f32'>, source: Tensor<'f32'>, active: Tensor<'u32'>): void;
}
