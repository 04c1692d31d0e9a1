/**
 * Choice of the backend that trains. With a real GPU a race decides between it and the CPU (race.ts). With a software adapter or none
 * it is the CPU at once, which is several times faster than software WebGPU; with fused multiply-add where the machine has it. The
 * person may choose otherwise, and is told the reason of any choice. The backend never changes the experiment. Each is loaded only
 * when used: shaders and WebAssembly are most of the Worker's bytes.
 */
import type { Experiment } from '../../../experiment/experiment';
import { CPU_NAMES, type CpuKind, cpuOn, isCpu } from '../../../foundation/cpuVariants';
import { LabError } from '../../../foundation/errors';
import { type AcquiredGpu, acquireGpu } from '../../../gpu/acquire';
import type { Backend, BackendLimits } from '../../../tensor/backend';
import { fuses } from '../../../tensor/cpu/fuses';
import { CPU_LIMITS } from '../../../tensor/cpu/limits';
import { TrainerPool } from '../../pool/pool';
import type { PoolChoice } from '../../pool/port';
import { Trainer } from '../../population/trainer';
import type { Training, TrainingOptions } from '../../population/training';
import type { BackendChoice, BackendKind, BackendLine, RaceNumbers } from '../../protocol';
import { chooseCohorts } from '../cohorts';
import type { Rivals, Verdict } from './race';

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
  /** Times of the race that decided; absent where none was run. */
  readonly raced?: RaceNumbers;
  /** Limits of one device, and the number of Workers that share its memory's budget. */
  readonly limits: BackendLimits;
  readonly workers: number;
  /** Allocates a training, which owns the backend and frees it: call once. Frees the backend when it throws. */
  train(experiment: Experiment, options?: TrainingOptions): Training;
  /** Frees the backend unused; call it instead of train(). */
  release(): void;
  /** The backend where this one cannot hold the population, for the reason given; absent where a person chose this one. */
  readonly instead?: (why: LabError) => Promise<ChosenBackend>;
}

/** Task for which a backend is chosen. */
export interface BackendTask {
  /** Seconds that the host takes for a turn. */
  hostSeconds(): Promise<number>;
  /** Compares a GPU with the CPU; absent where the run has begun. */
  readonly race?: (rivals: Rivals) => Promise<Verdict>;
}

/** A choice as the page shows it. */
export const lineOf = ({ kind, description, software, reason, raced }: ChosenBackend): BackendLine => ({
  kind,
  description,
  software,
  reason,
  ...(raced && { raced }),
});

/**
 * Chooses a backend. gpu: navigator.gpu, or Dawn's in Node; pool: the Workers to use on the CPU; without a task the GPU is taken
 * where there is one. Throws LabError when the chosen backend cannot be opened.
 */
export async function chooseBackend(
  choice: BackendChoice,
  gpu: GPU | undefined,
  pool: PoolChoice,
  task?: BackendTask,
): Promise<ChosenBackend> {
  const place = await choosePlace(choice, gpu);
  if (place.acquired === undefined || place.acquired.software || !isOpen(choice))
    return open(choice, place, pool, task);
  const { acquired } = place;
  const cpu = cpuFor(choice);
  const verdict = await task?.race?.({
    adapter: acquired.description,
    cpu,
    open: (side) =>
      side === 'cpu'
        ? chooseBackend(cpu, undefined, { ...pool, isApart: true })
        : open(choice, { ...place, acquired: { ...acquired, release: () => {} } }, pool, task),
  });
  if (verdict === undefined) return open(choice, place, pool, task);
  const { takes, numbers, isSpoiled } = verdict;
  const outcome = { reason: verdict.reason ?? place.reason, ...(numbers && { raced: numbers }) };
  if (takes === 'gpu' && !isSpoiled) return open(choice, { ...place, ...outcome }, pool, task);
  acquired.release();
  if (isSpoiled) return open(choice, await choosePlace(choice, gpu), pool, task);
  return { ...(await chooseBackend(cpu, undefined, pool)), ...outcome };
}

const isOpen = (choice: BackendChoice): choice is 'auto' | 'auto-plain' => choice === 'auto' || choice === 'auto-plain';

async function open(
  choice: BackendChoice,
  { kind, reason, raced, acquired }: Place,
  pool: PoolChoice,
  task: BackendTask | undefined,
): Promise<ChosenBackend> {
  if (isCpu(kind) && (pool.workers > 1 || pool.isApart === true)) return onPool(kind, pool, reason);
  const backend = await backendOn(kind, acquired);
  const software = acquired?.software ?? true;
  try {
    const hostSeconds = software ? 0 : await task?.hostSeconds();
    const cohorts = await chooseCohorts(backend, software, hostSeconds);
    const adapter = isCpu(kind) ? CPU_NAMES[kind] : backend.description;
    const chosen = onBackend(backend, { software, reason, cohorts, adapter, ...(raced && { raced }) });
    return isCpu(kind) || !isOpen(choice) ? chosen : { ...chosen, instead: onCpu(choice, pool) };
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
): Promise<{ readonly backend: Backend; readonly device: string }> {
  const { kind, reason, acquired } = await choosePlace(choice, gpu);
  const backend = await backendOn(kind, acquired);
  return { backend, device: `${backend.description}: ${reason}` };
}

interface Place {
  readonly kind: BackendKind;
  readonly reason: string;
  readonly raced?: RaceNumbers;
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
    const { createWebGpuBackend } = await import('../../../tensor/webgpu/backend');
    return createWebGpuBackend(acquired);
  }
  if (kind === 'reference') {
    const { ReferenceBackend } = await import('../../../tensor/reference/backend');
    return new ReferenceBackend();
  }
  if (!isCpu(kind)) throw new LabError('internal', `No device was acquired for ${kind}.`, 'Please report this.');
  const { createCpuBackend } = await import('../../../tensor/cpu/backend');
  return createCpuBackend({ kind });
}

function onBackend(
  backend: Backend,
  { cohorts, ...rest }: Pick<ChosenBackend, 'software' | 'reason' | 'adapter' | 'raced'> & { readonly cohorts: number },
): ChosenBackend {
  return {
    kind: backend.kind,
    description: backend.description,
    limits: backend.limits,
    workers: 1,
    ...rest,
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
    limits: CPU_LIMITS,
    workers,
    train: (experiment, options) => new TrainerPool(experiment, { ...options, backend: kind, workers, start }),
    release: () => {},
  };
}
