/**
 * Loading of the kernels. A module is part of the bundle as a data URL (of some 45 kB), so that a page, a Worker,
 * Vitest and Node load it alike; the one with fused multiply-add is a part of its own, as not everyone takes it. Each backend
 * has its own instance and memory.
 */
import type { CpuKind } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { fuses } from './fuses';
import type { Kernels } from './kernels';
import kernels from './kernels.wasm?url&inline';

const compiled = new Map<CpuKind, Promise<WebAssembly.Module>>();

async function compile(kind: CpuKind): Promise<WebAssembly.Module> {
  const url = kind === 'cpu' ? kernels : (await import('./kernels-fused.wasm?url&inline')).default;
  const response = await fetch(url);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Throws LabError 'unsupported' where the variant cannot run. */
export async function instantiateKernels(kind: CpuKind): Promise<Kernels> {
  if (kind === 'cpu-fused' && !fuses()) {
    throw new LabError(
      'unsupported',
      'WebAssembly has no fused multiply-add here: this engine does not offer it, or the processor lacks it.',
      'Choose the plain CPU backend, whose numbers are the same everywhere.',
    );
  }
  try {
    const module = compiled.get(kind) ?? compile(kind);
    compiled.set(kind, module);
    const instance = await WebAssembly.instantiate(await module, {});
    return instance.exports as unknown as Kernels;
  } catch (cause) {
    compiled.delete(kind);
    throw new LabError(
      'unsupported',
      'The CPU backend needs WebAssembly with SIMD, which could not be started here.',
      'Update the browser, or use one where WebAssembly is not disabled.',
      { cause },
    );
  }
}
