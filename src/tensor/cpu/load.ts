/**
 * Loading of the kernels. A module is part of the bundle as a data URL (of some 45 kB), so that a page, a Worker,
 * Vitest and Node load it alike; the one with fused multiply-add is a part of its own, as not everyone takes it. Each backend
 * has its own instance, in a memory of its own or in one that several threads share.
 */
import type { CpuKind } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { fuses } from './fuses';
import type { Kernels } from './kernels';
import kernels from './kernels.wasm?url&inline';
import { createMemory } from './memory';

const compiled = new Map<string, Promise<WebAssembly.Module>>();

async function compile(kind: CpuKind, isShared: boolean): Promise<WebAssembly.Module> {
  const url = kind === 'cpu' ? kernels : (await import('./kernels-fused.wasm?url&inline')).default;
  const response = await fetch(url);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (isShared) bytes[flagsOfMemory(bytes)] = SHARED;
  return WebAssembly.compile(bytes);
}

/** The module's only import, the memory "env" "memory", up to its flags: 1, there is a greatest size; with 2, it is shared. */
const IMPORT = Uint8Array.of(3, ...new TextEncoder().encode('env'), 6, ...new TextEncoder().encode('memory'), 2, 1);
const SHARED = 3;

/** Place of the flags of the module's memory: a module for a shared memory differs in them alone. */
function flagsOfMemory(bytes: Uint8Array): number {
  const at = bytes.findIndex((_, i) => IMPORT.every((byte, k) => bytes[i + k] === byte));
  if (at !== -1) return at + IMPORT.length - 1;
  throw new LabError('internal', 'The kernels of the CPU import no memory.', 'Please report this.');
}

/** Throws LabError 'unsupported' where the variant cannot run. */
export async function instantiateKernels(kind: CpuKind, memory = createMemory(false)): Promise<Kernels> {
  if (kind === 'cpu-fused' && !fuses()) {
    throw new LabError(
      'unsupported',
      'WebAssembly has no fused multiply-add here: this engine does not offer it, or the processor lacks it.',
      'Choose the plain CPU backend, whose numbers are the same everywhere.',
    );
  }
  const isShared = !(memory.buffer instanceof ArrayBuffer);
  const key = `${kind}, ${isShared ? 'shared' : 'own'}`;
  try {
    const module = compiled.get(key) ?? compile(kind, isShared);
    compiled.set(key, module);
    const { exports } = await WebAssembly.instantiate(await module, { env: { memory } });
    return { ...exports, memory } as unknown as Kernels;
  } catch (cause) {
    compiled.delete(key);
    throw new LabError(
      'unsupported',
      'The CPU backend needs WebAssembly with SIMD, which could not be started here.',
      'Update the browser, or use one where WebAssembly is not disabled.',
      { cause },
    );
  }
}
