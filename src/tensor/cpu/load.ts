/**
 * Loading of the kernels. The module is part of the bundle as a data URL (of some 33 kB), so that a page, a Worker,
 * Vitest and Node load it alike. Each backend has its own instance and memory.
 */
import { LabError } from '../../foundation/errors';
import type { Kernels } from './kernels';
import kernels from './kernels.wasm?url&inline';

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(kernels);
  return WebAssembly.compile(await response.arrayBuffer());
}

export async function instantiateKernels(): Promise<Kernels> {
  try {
    compiled ??= compile();
    const instance = await WebAssembly.instantiate(await compiled, {});
    return instance.exports as unknown as Kernels;
  } catch (cause) {
    compiled = undefined;
    throw new LabError(
      'unsupported',
      'The CPU backend needs WebAssembly with SIMD, which could not be started here.',
      'Update the browser, or use one where WebAssembly is not disabled.',
      { cause },
    );
  }
}
