/** What the page and the test that opened it both compute. */
import type { Policy } from '../../src/onnx/exportOnnx';
import { randomPolicy, randomSequences } from './policies';

const LENGTHS = [12, 1, 9];

/** Tokens added to each sequence at a time; the first piece holds none of the second sequence. */
export const PIECES = [
  [3, 0, 1],
  [1, 1, 8],
  [8, 0, 0],
];

/** Ragged sequences of random tokens. Few operators: each has to be compiled, on a processor, slowly. */
export function onnxProblem(): { readonly policy: Policy; readonly sequences: number[][] } {
  const policy = randomPolicy(7, { layers: 1 });
  return { policy, sequences: randomSequences(policy, LENGTHS, 5) };
}
