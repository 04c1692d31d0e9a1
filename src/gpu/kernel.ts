/**
 * A kernel: one compute shader with the declarations in its text. Bindings and fields of `Params` are read from the
 * WGSL, so layouts, access modes and byte offsets on this side cannot disagree with the shader.
 */
import { preprocess } from './preprocess';

export interface KernelBinding {
  readonly name: string;
  readonly index: number;
  readonly kind: GPUBufferBindingType;
  /** Numbers per array element: 1 for f32 and u32, 4 for vec4 and for `Weights` (lib/weights.wgsl). */
  readonly words: 1 | 4;
  /** Bytes of the type where its size is fixed (uniform arrays), else 0. */
  readonly fixedBytes: number;
}

export interface KernelParameter {
  readonly type: 'u32' | 'i32' | 'f32';
  /** Byte offset in Params. */
  readonly offset: number;
  /** Number of values: 1, or 4·n for array<vec4f, n> and array<vec4u, n>. */
  readonly length: number;
}

export interface Kernel {
  readonly name: string;
  /** Origin of a kernel made from no file, for readers of a message that it does not compile. */
  readonly origin?: string;
  /** WGSL after preprocessing. */
  readonly code: string;
  /** Bindings but for `params`, which is always binding 0. */
  readonly bindings: readonly KernelBinding[];
  readonly parameters: ReadonlyMap<string, KernelParameter>;
  readonly parameterBytes: number;
}

export function defineKernel(
  name: string,
  files: ReadonlyMap<string, string>,
  sizes: Readonly<Record<string, number>> = {},
): Kernel {
  return kernelOfCode(name, preprocess(name, files, sizes));
}

/** Kernel of complete WGSL, made from `origin`. */
export function kernelOfCode(name: string, code: string, origin?: string): Kernel {
  const { parameters, bytes } = parseParameters(name, code);
  const kernel = { name, code, bindings: parseBindings(name, code), parameters, parameterBytes: bytes };
  return origin === undefined ? kernel : { ...kernel, origin };
}

function parseBindings(name: string, code: string): KernelBinding[] {
  const pattern =
    /@group\(0\)\s*@binding\((\d+)\)\s*var<(uniform|storage)(?:,\s*(read|read_write))?>\s*(\w+)\s*:\s*([^;]+);/g;
  const bindings: KernelBinding[] = [];
  for (const [, index, space, access, variable, type] of code.matchAll(pattern)) {
    if (variable === 'params') continue;
    const array = /^array<(f32|u32|vec4f|vec4u|Weights)(?:,\s*(\d+)u?)?>$/.exec((type ?? '').trim());
    if (!array) throw new Error(`${name}: binding ${variable} has the type ${type}, which is not read here.`);
    bindings.push({
      name: variable ?? '',
      index: Number(index),
      kind: space === 'uniform' ? 'uniform' : access === 'read_write' ? 'storage' : 'read-only-storage',
      words: array[1] === 'f32' || array[1] === 'u32' ? 1 : 4,
      fixedBytes: array[2] ? Number(array[2]) * 16 : 0,
    });
  }
  const storage = bindings.filter((binding) => binding.kind !== 'uniform').length;
  if (storage > 8) throw new Error(`${name} has ${storage} storage bindings; some devices allow 8.`);
  return bindings;
}

function parseParameters(name: string, code: string): { parameters: Map<string, KernelParameter>; bytes: number } {
  const parameters = new Map<string, KernelParameter>();
  const body = /struct Params \{([^}]*)\}/.exec(code)?.[1];
  if (body === undefined) throw new Error(`${name} declares no struct Params.`);
  let offset = 0;
  for (const [, field, type] of body.replace(/\/\/.*$/gm, '').matchAll(/(\w+)\s*:\s*(\w+(?:<[^>]*>)?)/g)) {
    const scalar = type === 'u32' || type === 'i32' || type === 'f32' ? type : undefined;
    const [, letter, vectors] = /^array<vec4([fu]),\s*(\d+)u?>$/.exec(type ?? '') ?? [];
    if (!scalar && !vectors) throw new Error(`${name}: Params.${field} has the type ${type}, which is not read here.`);
    if (vectors) offset = Math.ceil(offset / 16) * 16;
    const length = vectors ? 4 * Number(vectors) : 1;
    parameters.set(field ?? '', { type: scalar ?? (letter === 'u' ? 'u32' : 'f32'), offset, length });
    offset += 4 * length;
  }
  return { parameters, bytes: Math.ceil(offset / 16) * 16 };
}
