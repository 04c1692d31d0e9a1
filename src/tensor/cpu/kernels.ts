/**
 * What assembly/index.ts exports, as seen from here: the types are its own. Each kernel works on one member: addresses
 * are bytes in linear memory (0 for "none"), the rest are counts and flags.
 */
import type * as assembly from './assembly/index';

/** An address in linear memory, in bytes. */
export type Address = number;

/** Codes of the input activations, as in assembly/activation.ts. */
export const ACTIVATION_CODE = { none: 0, relu: 1, gelu: 2 } as const;

export type Kernels = Readonly<typeof assembly> & { readonly memory: WebAssembly.Memory };

/** AssemblyScript's types of arguments, as they cross the border to JavaScript. */
declare global {
  type usize = number;
  type i32 = number;
  type u32 = number;
  type f32 = number;
  type f64 = number;
  type bool = boolean;
}
