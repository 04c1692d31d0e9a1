/** Problem of the log-prob comparison: log softmax of N rows at one token each, and the gradient of its weighted sum. */
import { RandomStream } from '../../src/foundation/philox';

export interface LogProbProblem {
  readonly rows: number;
  readonly vocabulary: number;
  /** [rows, vocabulary], standard deviation 3. */
  readonly logits: Float32Array<ArrayBuffer>;
  /** [rows]. */
  readonly tokens: Uint32Array;
  /** [rows]: ∂/∂ log-prob. */
  readonly weights: Float32Array<ArrayBuffer>;
}

export interface LogProbPeer {
  /** Prepares a run; not timed. */
  ready(): Promise<void>;
  /** Log-probs [rows], read back. */
  forward(): Promise<Float32Array>;
  /** Log-probs and their gradient by the logits [rows, vocabulary], finished but not read back. */
  gradient(): Promise<void>;
  /** Gradient that the last gradient() left, [rows, vocabulary]. */
  readGradient(): Promise<Float32Array>;
}

export function logProbProblem(rows: number, vocabulary: number): LogProbProblem {
  const random = new RandomStream(7, 1, 0, 0, 0);
  const numbers = (count: number, scale: number) => Float32Array.from({ length: count }, () => scale * random.normal());
  return {
    rows,
    vocabulary,
    logits: numbers(rows * vocabulary, 3),
    tokens: Uint32Array.from({ length: rows }, () => random.below(vocabulary)),
    weights: numbers(rows, 1),
  };
}

/** Solution in float64: log-probs, [rows], and the gradient by flat index. */
export function exactLogProb({ rows, vocabulary: V, logits, tokens, weights }: LogProbProblem): {
  logProb: Float64Array;
  gradient(i: number): number;
} {
  const [largest, logSum] = [new Float64Array(rows), new Float64Array(rows)];
  for (let r = 0; r < rows; r++) {
    const row = logits.subarray(r * V, (r + 1) * V);
    const most = row.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    let sum = 0;
    for (const x of row) sum += Math.exp(x - most);
    largest[r] = most;
    logSum[r] = Math.log(sum);
  }
  const logOf = (r: number, v: number): number =>
    (logits[r * V + v] as number) - (largest[r] as number) - (logSum[r] as number);
  return {
    logProb: Float64Array.from(tokens, (token, r) => logOf(r, token)),
    gradient: (i) => {
      const [r, v] = [Math.floor(i / V), i % V];
      return (weights[r] as number) * ((tokens[r] === v ? 1 : 0) - Math.exp(logOf(r, v)));
    },
  };
}
