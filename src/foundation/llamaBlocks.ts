/**
 * Differences of a decoder of the Llama family (arXiv 2302.13971): RMS norms, a gated feed-forward block (SwiGLU), and
 * the rest by model.
 */
export interface LlamaBlocks {
  readonly keyValueHeads: number;
  /** Width of a head, D, not always width / heads. */
  readonly headWidth: number;
  /** F, hidden width of the feed-forward block. */
  readonly hidden: number;
  /** ε of the norms. */
  readonly epsilon: number;
  /** Base of the rotary angles. */
  readonly theta: number;
  /** True: the embedding is the head, read by columns. */
  readonly tied: boolean;
  /** Maps that add a bias: none, queries, keys and values (Qwen2), or attention's output too. */
  readonly biases: 'none' | 'qkv' | 'attention';
}
