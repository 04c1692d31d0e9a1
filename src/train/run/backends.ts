/**
 * Which backend trains, and why. A real GPU: WebGPU. A software adapter or none: the CPU, which is several times faster
 * than software WebGPU. The person may choose otherwise; nothing is switched behind their back. The backend never changes
 * the experiment. Each backend is loaded only when it is used: shaders and WebAssembly are most of the Worker's bytes.
 */
import type { Experiment } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { type AcquiredGpu, acquireGpu } from '../../gpu/acquire';
import type { Backend } from '../../tensor/backend';
import { TrainerPool } from '../pool/pool';
import type { PoolChoice } from '../pool/port';
import { Trainer } from '../population/trainer';
import type { Training, TrainingOptions } from '../population/training';
import type { BackendChoice, BackendKind } from '../protocol';

export interface ChosenBackend {
  readonly kind: BackendKind;
  /** For the person: "Apple M2", "CPU (WebAssembly SIMD, 2 workers)". */
  readonly description: string;
  /** What the numbers may depend on, for results: the description without the number of Workers. */
  readonly adapter: string;
  /** It computes on the processor, whatever it is called. */
  readonly software: boolean;
  /** One sentence for the person. */
  readonly reason: string;
  /** Allocates; once, because the training owns the backend and frees it. Frees it too when it throws. */
  train(experiment: Experiment, options?: TrainingOptions): Training;
  /** Instead of train: frees the backend unused. */
  release(): void;
}

/** However many Workers. */
const CPU = 'CPU (WebAssembly SIMD)';

/**
 * `gpu`: navigator.gpu, or Dawn's in Node. `pool`: how the CPU is used, if it comes to that. Throws LabError when the
 * chosen backend cannot be had.
 */
export async function chooseBackend(
  choice: BackendChoice,
  gpu: GPU | undefined,
  pool: PoolChoice,
): Promise<ChosenBackend> {
  const { kind, reason, acquired } = await choosePlace(choice, gpu);
  if (kind === 'cpu' && pool.workers > 1) return onPool(pool, reason);
  const backend = await backendOn(kind, acquired);
  return onBackend(backend, acquired?.software ?? true, reason, kind === 'cpu' ? CPU : backend.description);
}

/** One backend, without Workers, by the same rule; whoever asks disposes of it. Throws as chooseBackend does. */
export async function openBackend(
  choice: BackendChoice,
  gpu: GPU | undefined,
): Promise<{ readonly backend: Backend; readonly reason: string }> {
  const { kind, reason, acquired } = await choosePlace(choice, gpu);
  return { backend: await backendOn(kind, acquired), reason };
}

interface Place {
  readonly kind: BackendKind;
  readonly reason: string;
  readonly acquired?: AcquiredGpu;
}

async function choosePlace(choice: BackendChoice, gpu: GPU | undefined): Promise<Place> {
  if (choice === 'reference') {
    return { kind: choice, reason: 'the float64 reference, slow and exact, because it was chosen' };
  }
  if (choice === 'cpu') return { kind: choice, reason: 'the CPU, because it was chosen' };
  if (choice === 'webgpu') {
    const acquired = await acquireGpu(gpu);
    const reason = acquired.software ? 'software WebGPU, because it was chosen' : 'the GPU, through WebGPU';
    return { kind: choice, reason, acquired };
  }
  try {
    const acquired = await acquireGpu(gpu);
    if (!acquired.software) return { kind: 'webgpu', reason: 'the GPU, through WebGPU', acquired };
    acquired.release();
    const reason = `the CPU, because the only WebGPU adapter is ${acquired.description}, which is slower`;
    return { kind: 'cpu', reason };
  } catch (cause) {
    if (!(cause instanceof LabError) || (cause.code !== 'no-webgpu' && cause.code !== 'no-adapter')) throw cause;
    return { kind: 'cpu', reason: `the CPU, because the GPU cannot be had: ${cause.what}` };
  }
}

async function backendOn(kind: BackendKind, acquired: AcquiredGpu | undefined): Promise<Backend> {
  if (acquired !== undefined) {
    const { createWebGpuBackend } = await import('../../tensor/webgpu/backend');
    return createWebGpuBackend(acquired);
  }
  if (kind === 'reference') {
    const { ReferenceBackend } = await import('../../tensor/reference/backend');
    return new ReferenceBackend();
  }
  const { createCpuBackend } = await import('../../tensor/cpu/backend');
  return createCpuBackend();
}

function onBackend(backend: Backend, software: boolean, reason: string, adapter: string): ChosenBackend {
  return {
    kind: backend.kind,
    description: backend.description,
    adapter,
    software,
    reason,
    train(experiment, options) {
      try {
        return new Trainer(backend, experiment, options);
      } catch (cause) {
        backend.dispose();
        throw cause;
      }
    },
    release: () => backend.dispose(),
  };
}

/** Each Worker has a backend of its own and none is made here: memory is taken once. */
function onPool({ workers, start }: PoolChoice, reason: string): ChosenBackend {
  return {
    kind: 'cpu',
    description: CPU.replace(')', `, ${workers} workers)`),
    adapter: CPU,
    software: true,
    reason,
    train: (experiment, options) => new TrainerPool(experiment, { ...options, workers, start }),
    release: () => {},
  };
}
