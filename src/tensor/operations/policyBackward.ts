/**
 * The part of the contract that the policy's backward pass is made of. Weight gradients are partial sums per chunk of
 * GRADIENT_CHUNK trajectories, written (=) to partials [P, chunks, N] at the parameter's own offset; reduceChunks adds them
 * up in order.
 */
import type { Activation, ParameterView, Rows, Sequences, Tensor } from '../backend';
import type { Heads } from '../heads';

type F32 = Tensor<'f32'>;

export interface PolicyBackwardOperations {
  /** dHidden (+=) and the head's gradient, per chunk into partials, of valueHead. dValue [P,R], dHidden [P,R,C]. */
  valueHeadBackward(
    dHidden: F32,
    partials: F32,
    dValue: F32,
    hidden: F32,
    rows: Sequences,
    weight: ParameterView,
    bias: ParameterView,
  ): void;

  /** dTokens[v] = Σ dx over rows with that token, dPositions[t] likewise, per chunk. */
  embedBackward(partials: F32, dx: F32, rows: Sequences, tokens: ParameterView, positions: ParameterView | null): void;

  /** dHead[:, v] += Σ dx over rows with token v, per chunk into partials, which hold the head's own gradient. */
  embedTiedBackward(partials: F32, dx: F32, rows: Sequences, head: ParameterView): void;

  /** dx (=|+=) the gradient through layerNorm; dGamma and dBeta per chunk into partials. All [P,R,C]. */
  layerNormBackward(
    dx: F32,
    partials: F32,
    dOut: F32,
    x: F32,
    stats: F32,
    rows: Sequences,
    gamma: ParameterView,
    beta: ParameterView,
    options: { accumulate: boolean },
  ): void;

  /** Backward pass of rmsNorm, like layerNormBackward. partials null: gamma is frozen, and its gradient left out. */
  rmsNormBackward(
    dx: F32,
    partials: F32 | null,
    dOut: F32,
    x: F32,
    stats: F32,
    rows: Sequences,
    gamma: ParameterView,
    options: { accumulate: boolean },
  ): void;

  /** dx (=) the gradient through swiglu. x, dx [P,R,2F], dOut [P,R,F]. */
  swigluBackward(dx: F32, dOut: F32, x: F32, rows: Rows): void;

  /** dx (=|+=) (dOut·weightᵀ) ⊙ act′(x). dOut [P,R,N], dx [P,R,K]; x is read only when inputActivation is not 'none'. */
  linearBackwardInput(
    dx: F32,
    dOut: F32,
    x: F32,
    rows: Rows,
    weight: ParameterView,
    options?: { inputActivation?: Activation; accumulate?: boolean },
  ): void;

  /** dWeight = act(x)ᵀ·dOut and dBias = Σ dOut, per chunk into partials. */
  linearBackwardWeight(
    partials: F32,
    x: F32,
    dOut: F32,
    rows: Sequences,
    weight: ParameterView,
    bias: ParameterView | null,
    options?: { inputActivation?: Activation },
  ): void;

  /** dqkv (=) the gradient of attention without a cache. out, dOut [P,R,H·D]; qkv, dqkv [P,R,W]; logSumExp [P,R,H]. */
  attentionBackward(dqkv: F32, dOut: F32, out: F32, logSumExp: F32, qkv: F32, rows: Sequences, heads: Heads): void;

  /** gradients[i] (=|+=) partials[chunk 0, i] + partials[chunk 1, i] + …, added one after the other in chunk order. */
  reduceChunks(gradients: F32, partials: F32, chunks: number, options: { accumulate: boolean }): void;
}
