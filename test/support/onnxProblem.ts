/** Problem that both the page and the test that opened it compute. */
import type { OnnxPolicy } from '../../src/onnx/exportOnnx';
import { randomPolicy, randomSequences } from './policies';

const LENGTHS = [12, 1, 9];

/** Number of tokens added to each sequence, piece by piece; the first piece has none for the second sequence. */
export const PIECES = [
  [3, 0, 1],
  [1, 1, 8],
  [8, 0, 0],
];

/** Small policy and sequences of different lengths. It has few operators, because software WebGPU compiles each slowly. */
export function onnxProblem(): { readonly policy: OnnxPolicy; readonly sequences: number[][] } {
  const policy = randomPolicy(7, { layers: 1 });
  return { policy, sequences: randomSequences(policy, LENGTHS, 5) };
}
