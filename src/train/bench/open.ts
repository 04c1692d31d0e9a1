/** Backends for benchmarks, opened for one measurement. Unlike backends that train, they may use the device's clock. */
import { isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { acquireGpu } from '../../gpu/acquire';
import { PassTimer } from '../../gpu/passTimer';
import type { Backend } from '../../tensor/backend';
import type { BackendKind } from '../protocol';

export interface OpenBackend {
  readonly backend: Backend;
  /** The device's clock; null where it was not asked for or does not exist. */
  readonly timer: PassTimer | null;
}

/** Opens a backend. timed: every program of a run becomes a pass with timestamps, where the device has them. */
export async function openBackend(
  kind: BackendKind,
  gpu: GPU | undefined,
  { timed }: { timed: boolean },
): Promise<OpenBackend> {
  if (isCpu(kind)) {
    const { createCpuBackend } = await import('../../tensor/cpu/backend');
    return { backend: await createCpuBackend({ kind }), timer: null };
  }
  if (kind === 'reference') {
    throw new LabError('unsupported', 'The float64 reference is not made for speed.', 'Choose webgpu or cpu.');
  }
  const [acquired, { createWebGpuBackend }] = await Promise.all([
    acquireGpu(gpu),
    import('../../tensor/webgpu/backend'),
  ]);
  const timer = timed ? PassTimer.create(acquired.device) : null;
  return { backend: createWebGpuBackend({ ...acquired, timer }), timer };
}
