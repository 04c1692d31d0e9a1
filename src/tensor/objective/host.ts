/**
 * Interface of a backend that runs the operations of this folder in TypeScript. The reference holds float64, the CPU
 * backend float32 in WebAssembly memory. Both run the same functions (double arithmetic, rounded when stored), so every
 * formula stands once here and once in shaders/. Beside the matrix products they cost next to nothing.
 */
import type { FloatData, Tensor } from '../backend';

export interface ObjectiveHost {
  readonly members: number;
  /** Appends an operation to the program. */
  record(step: () => void): void;
  /** Member p's part of a tensor; valid until the step ends. */
  f32(tensor: Tensor<'f32'>, p: number): FloatData;
  u32(tensor: Tensor<'u32'>, p: number): Uint32Array;
}
