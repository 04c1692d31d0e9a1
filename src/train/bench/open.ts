/**
 * Backends for benchmarks, opened for one measurement and closed after it. Unlike the backends that train, these may ask
 * the device for its clock.
 */
import { LabError } from '../../foundation/errors';
import { acquireGpu } from '../../gpu/acquire';
import { PassTimer } from '../../gpu/passTimer';
import type { Backend } from '../../tensor/backend';
import type { BackendKind } from '../protocol';

export interface OpenBackend {
  readonly backend: Backend;
  /** The device's clock, asked for and there. */
  readonly timer: PassTimer | null;
}

/** `timed`: every program of a run becomes a pass with timestamps, where the device has them. */
export async function openBackend(
  kind: BackendKind,
  gpu: GPU | undefined,
  { timed }: { timed: boolean },
): Promise<OpenBackend> {
  if (kind === 'cpu') {
    const { createCpuBackend } = await import('../../tensor/cpu/backend');
    return { backend: await createCpuBackend(), timer: null };
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
