/** The part of the contract that the policy's forward pass is made of, decoding with a key-value cache included. */
import type { Activation, ParameterView, Rows, Tensor } from '../backend';
import type { Heads } from '../heads';

type F32 = Tensor<'f32'>;

export interface PolicyForwardOperations {
  /** out[r] = tokens[token_r] + (positions ? positions[position_r] : 0). out [P,R,C], tokens [V,C], positions [T,C]. */
  embed(out: F32, rows: Rows, tokens: ParameterView, positions: ParameterView | null): void;

  /** embed without positions, of a head [C,V] that is the embedding too: out[r] = head[:, token_r]. */
  embedTied(out: F32, rows: Rows, head: ParameterView): void;

  /** out = gamma·(x − mean)·rstd + beta over the last axis, ε = 1e-5; stats [P,R,2] keeps (mean, rstd). x, out [P,R,C]. */
  layerNorm(out: F32, stats: F32, x: F32, rows: Rows, gamma: ParameterView, beta: ParameterView): void;

  /** out = gamma·x·rstd, rstd = 1/√(mean(x²) + ε) over the last axis (arXiv 1910.07467); stats [P,R,2] keeps (0, rstd). */
  rmsNorm(out: F32, stats: F32, x: F32, rows: Rows, gamma: ParameterView, epsilon: number): void;

  /**
   * out = act(x)·weight + bias (+ residual). x [P,R,K], weight [K,N], bias [N] or null; out and residual, which is another
   * tensor, [P,R,N]. K and N multiples of 4.
   * The activation acts on the input, so the backward pass keeps x from before the activation.
   */
  linear(
    out: F32,
    x: F32,
    rows: Rows,
    weight: ParameterView,
    bias: ParameterView | null,
    options?: { inputActivation?: Activation; residual?: F32 },
  ): void;

  /** out = silu(g)·u, silu(g) = g/(1 + e⁻ᵍ), of x = (g, u) (SwiGLU, arXiv 2002.05202). x [P,R,2F], out [P,R,F]. */
  swiglu(out: F32, x: F32, rows: Rows): void;

  /** out[r, at + n] += factor·x[r, n]. x [P,R,n], out [P,R,N]; at, n and N multiples of 4. */
  addColumns(out: F32, x: F32, rows: Rows, at: number, factor: number): void;

  /** out[r, n] = factor·x[r, at + n]: its gradient by x. */
  takeColumns(out: F32, x: F32, rows: Rows, at: number, factor: number): void;

  /**
   * Rotates the pairs (2i, 2i+1) of each head's query or key by position·theta^(−2i/D) (RoFormer, arXiv 2104.09864), in
   * place over qkv [P,R,W], W of headWidths; direction −1 rotates back (the backward pass of gradients).
   */
  rotary(qkv: F32, rows: Rows, heads: Heads, direction: 1 | -1, theta?: number): void;

  /** cache[keyBase_r + position_r] = (key_r, value_r): qkv [P,R,W] → cache [P,capacity,2·keys]. */
  storeKeyValue(cache: F32, qkv: F32, rows: Rows, heads: Heads): void;

  /**
   * Causal attention: row r attends to its trajectory's positions 0 … position_r, scale 1/√D. Keys and values: with a
   * cache [P,·,2·keys] at row address keyBase + t (decoding), else (cache null) in qkv [P,R,W] itself at row keyBase + t.
   * out [P,R,H·D]; logSumExp [P,R,H] of the scaled scores.
   */
  attention(out: F32, logSumExp: F32, qkv: F32, cache: F32 | null, rows: Rows, heads: Heads): void;

  /**
   * Attention's weights of the values, from its logSumExp: for i < picks.count, r = field 0 of pick i, and each head,
   * out[i, h, t] = exp(q_r·k_t/√D − logSumExp[r, h]) for t ≤ position_r, and 0 beyond; key t is row keyBase_r + t of
   * qkv. out [P, capacity of picks, H, T], T its stride / (capacity · H); qkv [P,R,W]; logSumExp [P,R,H].
   */
  attentionProbabilities(out: F32, qkv: F32, logSumExp: F32, picks: Rows, rows: Rows, heads: Heads): void;

  /** out[i] = x[row_i] for i < picks.count, such as the last rows; x [P,R,C], row_i field 0 of picks [P,capacity,4]. */
  gatherRows(out: F32, x: F32, picks: Rows): void;

  /**
   * value[r] = hidden[r − 1]·weight + bias for target rows (position > 0), else 0: the critic's value of the state before
   * token r. value [P,R], hidden [P,R,C], weight [C], bias [1].
   */
  valueHead(value: F32, hidden: F32, rows: Rows, weight: ParameterView, bias: ParameterView): void;
}
