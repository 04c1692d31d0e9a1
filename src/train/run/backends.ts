/**
 * Choice of the backend that trains. With a real GPU it is WebGPU. With a software adapter or none it is the CPU, which is
 * several times faster than software WebGPU, and holds more than some GPUs; with fused multiply-add where the machine has it. The person may choose otherwise, and is told the reason of any choice. The
 * backend never changes the experiment. Each is loaded only when used: shaders and WebAssembly are most of the Worker's
 * bytes.
 */
import type { Experiment } from '../../experiment/experiment';
import { CPU_NAMES, type CpuKind, cpuOn, isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { type AcquiredGpu, acquireGpu } from '../../gpu/acquire';
import type { Backend } from '../../tensor/backend';
import { fuses } from '../../tensor/cpu/fuses';
import { TrainerPool } from '../pool/pool';
import type { PoolChoice } from '../pool/port';
import { Trainer } from '../population/trainer';
import type { Training, TrainingOptions } from '../population/training';
import type { BackendChoice, BackendKind } from '../protocol';
import { chooseCohorts } from './cohorts';

export interface ChosenBackend {
  readonly kind: BackendKind;
  /** Name for the person: "Apple M2", "CPU (WebAssembly SIMD, 2 workers)". */
  readonly description: string;
  /** Name for results: the description without the number of Workers, on which no number depends. */
  readonly adapter: string;
  /** True where it computes on the processor, also as WebGPU. */
  readonly software: boolean;
  /** Reason of the choice, for the person. */
  readonly reason: string;
  /** Allocates a training, which owns the backend and frees it: call once. Frees the backend when it throws. */
  train(experiment: Experiment, options?: TrainingOptions): Training;
  /** Frees the backend unused; call it instead of train(). */
  release(): void;
  /** The backend where this one cannot hold the population, for the reason given; absent where a person chose this one. */
  readonly instead?: (why: LabError) => Promise<ChosenBackend>;
}

/**
 * Chooses a backend. gpu: navigator.gpu, or Dawn's in Node; pool: the Workers to use on the CPU. Throws LabError when the
 * chosen backend cannot be opened.
 */
export async function chooseBackend(
  choice: BackendChoice,
  gpu: GPU | undefined,
  pool: PoolChoice,
): Promise<ChosenBackend> {
  const { kind, reason, acquired } = await choosePlace(choice, gpu);
  if (isCpu(kind) && (pool.workers > 1 || pool.isApart === true)) return onPool(kind, pool, reason);
  const backend = await backendOn(kind, acquired);
  const software = acquired?.software ?? true;
  try {
    const cohorts = await chooseCohorts(backend, software);
    const adapter = isCpu(kind) ? CPU_NAMES[kind] : backend.description;
    const chosen = onBackend(backend, { software, reason, cohorts, adapter });
    const isAsked = isCpu(kind) || (choice !== 'auto' && choice !== 'auto-plain');
    return isAsked ? chosen : { ...chosen, instead: onCpu(choice, pool) };
  } catch (cause) {
    backend.dispose();
    throw cause;
  }
}

/** The CPU in the place of a GPU that was not asked for by name. */
const onCpu =
  (choice: 'auto' | 'auto-plain', pool: PoolChoice) =>
  async (why: LabError): Promise<ChosenBackend> => ({
    ...(await chooseBackend(cpuFor(choice), undefined, pool)),
    reason: `the GPU cannot hold it. ${why.what.replace(/\.$/, '')}`,
  });

/** Opens one backend by the same rule, without Workers; the caller disposes of it. Throws as chooseBackend() does. */
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
  if (isCpu(choice)) return { kind: choice, reason: 'the CPU, because it was chosen' };
  if (choice === 'webgpu') {
    const acquired = await acquireGpu(gpu);
    const reason = acquired.software ? 'software WebGPU, because it was chosen' : 'the GPU, through WebGPU';
    return { kind: choice, reason, acquired };
  }
  try {
    const acquired = await acquireGpu(gpu);
    if (!acquired.software) return { kind: 'webgpu', reason: 'the GPU, through WebGPU', acquired };
    acquired.release();
    return { kind: cpuFor(choice), reason: 'faster here than WebGPU in software' };
  } catch (cause) {
    if (!(cause instanceof LabError) || (cause.code !== 'no-webgpu' && cause.code !== 'no-adapter')) throw cause;
    return { kind: cpuFor(choice), reason: `no GPU can be had: ${cause.what}` };
  }
}

/** Variant of the CPU where none was chosen: the faster one that is there, unless the plain one is needed. */
export const cpuFor = (choice: 'auto' | 'auto-plain'): CpuKind => (choice === 'auto' && fuses() ? 'cpu-fused' : 'cpu');

async function backendOn(kind: BackendKind, acquired: AcquiredGpu | undefined): Promise<Backend> {
  if (acquired !== undefined) {
    const { createWebGpuBackend } = await import('../../tensor/webgpu/backend');
    return createWebGpuBackend(acquired);
  }
  if (kind === 'reference') {
    const { ReferenceBackend } = await import('../../tensor/reference/backend');
    return new ReferenceBackend();
  }
  if (!isCpu(kind)) throw new LabError('internal', `No device was acquired for ${kind}.`, 'Please report this.');
  const { createCpuBackend } = await import('../../tensor/cpu/backend');
  return createCpuBackend({ kind });
}

function onBackend(
  backend: Backend,
  { cohorts, ...told }: Pick<ChosenBackend, 'software' | 'reason' | 'adapter'> & { readonly cohorts: number },
): ChosenBackend {
  return {
    kind: backend.kind,
    description: backend.description,
    ...told,
    train(experiment, options) {
      try {
        return new Trainer(backend, experiment, { cohorts, ...options });
      } catch (cause) {
        backend.dispose();
        throw cause;
      }
    },
    release: () => backend.dispose(),
  };
}

/** Pool of Workers. Each has a backend of its own and none is made here, so memory is taken once. */
function onPool(kind: CpuKind, { workers, start }: PoolChoice, reason: string): ChosenBackend {
  return {
    kind,
    description: cpuOn(kind, workers === 1 ? 'one thread' : `${workers} workers`),
    adapter: CPU_NAMES[kind],
    software: true,
    reason,
    train: (experiment, options) => new TrainerPool(experiment, { ...options, backend: kind, workers, start }),
    release: () => {},
  };
}
