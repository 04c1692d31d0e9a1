/**
 * What assembly/index.ts exports, as seen from here. Each kernel works on one member: addresses are bytes in linear
 * memory (0 for "none"), the rest are counts and flags.
 */

/** An address in linear memory, in bytes. */
export type Address = number;

/** Codes of the input activations, as in assembly/activation.ts. */
export const ACTIVATION_CODE = { none: 0, relu: 1, gelu: 2 } as const;

export interface Kernels {
  readonly memory: WebAssembly.Memory;
  heapBase(): Address;

  embed(out: Address, table: Address, rows: number, C: number, tokens: Address, positions: Address): void;
  embedBackward(
    dTokens: Address,
    V: number,
    dPositions: Address,
    T: number,
    dx: Address,
    table: Address,
    rows: number,
    C: number,
  ): void;
  maxPosition(table: Address, rows: number): number;
  rotary(qkv: Address, table: Address, rows: number, C: number, D: number, angles: Address, direction: number): void;
  storeKeyValue(cache: Address, qkv: Address, table: Address, rows: number, C: number): void;
  gatherRows(out: Address, x: Address, picks: Address, count: number, C: number): void;
  add(a: Address, b: Address, count: number): void;
  fill(target: Address, count: number, value: number): void;
  copy(target: Address, source: Address, bytes: number): void;

  layerNorm(out: Address, stats: Address, x: Address, rows: number, C: number, gamma: Address, beta: Address): void;
  layerNormBackward(
    dx: Address,
    dGamma: Address,
    dBeta: Address,
    dOut: Address,
    x: Address,
    stats: Address,
    rows: number,
    C: number,
    gamma: Address,
    accumulate: boolean,
  ): void;

  linearScratch(K: number, N: number): number;
  linear(
    out: Address,
    x: Address,
    rows: number,
    K: number,
    N: number,
    weight: Address,
    bias: Address,
    activation: number,
    accumulate: boolean,
    scratch: Address,
  ): void;
  linearBackwardInput(
    dx: Address,
    dOut: Address,
    x: Address,
    rows: number,
    K: number,
    N: number,
    weight: Address,
    activation: number,
    accumulate: boolean,
    scratch: Address,
  ): void;
  linearWeightScratch(K: number, N: number): number;
  linearBackwardWeight(
    dWeight: Address,
    dBias: Address,
    x: Address,
    dOut: Address,
    rows: number,
    K: number,
    N: number,
    activation: number,
    scratch: Address,
  ): void;

  attention(
    out: Address,
    logSumExp: Address,
    qkv: Address,
    keys: Address,
    keyStride: number,
    table: Address,
    rows: number,
    C: number,
    H: number,
    scratch: Address,
  ): void;
  attentionProbabilities(
    out: Address,
    qkv: Address,
    logSumExp: Address,
    picks: Address,
    count: number,
    table: Address,
    C: number,
    H: number,
    T: number,
    scratch: Address,
  ): void;
  attentionBackward(
    dqkv: Address,
    dOut: Address,
    out: Address,
    logSumExp: Address,
    qkv: Address,
    table: Address,
    rows: number,
    C: number,
    H: number,
    scratch: Address,
    scratchStride: number,
  ): void;

  maskedLogProb(
    logProb: Address,
    entropy: Address,
    logSumExp: Address,
    logits: Address,
    table: Address,
    rows: number,
    legalSets: Address,
    hyper: Address,
    V: number,
    S: number,
    targets: Address,
    K: number,
    targetStep: number,
    scratch: Address,
  ): void;
  maskedLogProbBackward(
    logits: Address,
    dLogProb: Address,
    dEntropy: Address,
    entropy: Address,
    logSumExp: Address,
    table: Address,
    rows: number,
    legalSets: Address,
    hyper: Address,
    V: number,
    S: number,
    targets: Address,
    K: number,
    targetStep: number,
  ): void;
  sumOfSquares(
    out: Address,
    logSumExp: Address,
    logits: Address,
    table: Address,
    rows: number,
    legalSets: Address,
    hyper: Address,
    V: number,
    S: number,
    scratch: Address,
  ): void;
  fusedScratch(C: number, rows: number): number;
  fusedLogProb(
    logProb: Address,
    entropy: Address,
    logSumExp: Address,
    hidden: Address,
    table: Address,
    rows: number,
    head: Address,
    C: number,
    V: number,
    legalSets: Address,
    hyper: Address,
    scratch: Address,
  ): void;
  fusedLogProbBackward(
    dHidden: Address,
    dHead: Address,
    dLogProb: Address,
    dEntropy: Address,
    entropy: Address,
    logSumExp: Address,
    hidden: Address,
    table: Address,
    rows: number,
    head: Address,
    C: number,
    V: number,
    legalSets: Address,
    hyper: Address,
    scratch: Address,
  ): void;
  sample(
    token: Address,
    logProb: Address,
    logits: Address,
    picks: Address,
    count: number,
    legalSets: Address,
    hyper: Address,
    key: Address,
    seedIndex: number,
    V: number,
    scratch: Address,
  ): void;
  continueAction(
    table: Address,
    picks: Address,
    count: number,
    left: Address,
    sampled: Address,
    sampledLogProb: Address,
    token: Address,
    logProb: Address,
    stopToken: number,
    context: number,
  ): void;

  gradientNorm(a: Address, b: Address, N: number): number;
  adamW(
    parameters: Address,
    firstMoment: Address,
    secondMoment: Address,
    step: Address,
    gradients: Address,
    norm: number,
    hyper: Address,
    N: number,
  ): void;
}
