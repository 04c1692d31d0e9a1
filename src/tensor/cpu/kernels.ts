/**
 * Exports of assembly/index.ts, with its own types. Each kernel works on one member: addresses are bytes in linear
 * memory (0 for "none"), the rest are counts and flags.
 */
import type * as assembly from './assembly/index';

/** An address in linear memory, in bytes. */
export type Address = number;

/** Codes of the input activations, as in assembly/activation.ts. */
export const ACTIVATION_CODE = { none: 0, relu: 1, gelu: 2 } as const;

/** Codes of the types of weights, as in assembly/weights.ts. */
export const WEIGHT_CODE = { f32: 0, bf16: 1, f16: 2 } as const;

export type Kernels = Readonly<typeof assembly> & { readonly memory: WebAssembly.Memory };

/** AssemblyScript's types of arguments, as JavaScript passes them. */
declare global {
  type usize = number;
  type i32 = number;
  type u32 = number;
  type f32 = number;
  type f64 = number;
  type bool = boolean;
}
