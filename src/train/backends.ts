/**
 * Which backend trains, and why. A real GPU: WebGPU. A software adapter or none: the CPU, which is several times faster
 * than software WebGPU. The person may choose otherwise; nothing is switched behind their back. The backend never changes
 * the experiment.
 */
import { LabError } from '../foundation/errors';
import { acquireGpu } from '../gpu/acquire';
import type { Backend } from '../tensor/backend';
import { createCpuBackend } from '../tensor/cpu/backend';
import { ReferenceBackend } from '../tensor/reference/backend';
import { createWebGpuBackend } from '../tensor/webgpu/backend';
import type { BackendChoice } from './protocol';

export interface ChosenBackend {
  readonly backend: Backend;
  /** It computes on the processor, whatever it is called. */
  readonly software: boolean;
  /** One sentence for the person. */
  readonly reason: string;
}

/** `gpu`: navigator.gpu, or Dawn's in Node. Throws LabError when the chosen backend cannot be had. */
export async function chooseBackend(choice: BackendChoice, gpu: GPU | undefined): Promise<ChosenBackend> {
  if (choice === 'reference') {
    const reason = 'the float64 reference, slow and exact, because it was chosen';
    return { backend: new ReferenceBackend(), software: true, reason };
  }
  if (choice === 'cpu') {
    return { backend: await createCpuBackend(), software: true, reason: 'the CPU, because it was chosen' };
  }
  if (choice === 'webgpu') {
    const { backend, software } = await onGpu(gpu);
    return {
      backend,
      software,
      reason: software ? 'software WebGPU, because it was chosen' : 'the GPU, through WebGPU',
    };
  }
  try {
    const { backend, software, release } = await onGpu(gpu);
    if (!software) return { backend, software, reason: 'the GPU, through WebGPU' };
    release();
    const reason = `the CPU, because the only WebGPU adapter is ${backend.description}, which is slower`;
    return { backend: await createCpuBackend(), software: true, reason };
  } catch (cause) {
    if (!(cause instanceof LabError) || (cause.code !== 'no-webgpu' && cause.code !== 'no-adapter')) throw cause;
    const reason = cause.code === 'no-webgpu' ? 'this browser has no WebGPU' : 'WebGPU offers no adapter here';
    return { backend: await createCpuBackend(), software: true, reason: `the CPU, because ${reason}` };
  }
}

async function onGpu(gpu: GPU | undefined): Promise<{ backend: Backend; software: boolean; release(): void }> {
  const acquired = await acquireGpu(gpu);
  const backend = createWebGpuBackend(acquired);
  return { backend, software: acquired.software, release: () => backend.dispose() };
}
