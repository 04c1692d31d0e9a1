/**
 * The device that kernels are checked and timed on. It is WebGPU, even in software, because the kernels are written for it;
 * or the CPU backend, where there is no WebGPU or the person chose it. It is kept from one job to the next, so nothing is
 * compiled twice. Each backend on it frees its tensors when disposed of.
 */
import { CPU_NAMES, type CpuKind, isCpu } from '../../foundation/cpuVariants';
import { LabError } from '../../foundation/errors';
import { type AcquiredGpu, acquireGpu } from '../../gpu/acquire';
import { PassTimer } from '../../gpu/passTimer';
import type { Backend } from '../../tensor/backend';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { createWebGpuBackend } from '../../tensor/webgpu/backend';
import type { BackendChoice } from '../protocol';
import type { DeviceLine, Variant } from './report';

export interface KernelDevice {
  readonly line: DeviceLine;
  /** The device's clock, where it has one. */
  readonly timer: PassTimer | null;
  /** Variant of the kernels that the device trains with; null on the CPU. */
  readonly variant: Variant | null;
  /** Opens a backend without tensors. timed: `timer` times every program of a run. */
  open(options?: { variant?: Variant | null; timed?: boolean }): Promise<Backend>;
  release(): void;
}

export async function openDevice(choice: BackendChoice, gpu: GPU | undefined): Promise<KernelDevice> {
  if (isCpu(choice) || choice === 'reference') {
    return onCpu(
      isCpu(choice) ? choice : 'cpu',
      'The CPU backend, because “Runs on” says so: its operations are checked, not the WGSL.',
    );
  }
  try {
    return onGpu(await acquireGpu(gpu));
  } catch (cause) {
    if (!(cause instanceof LabError) || (cause.code !== 'no-webgpu' && cause.code !== 'no-adapter')) throw cause;
    return onCpu('cpu', `${cause.what} The same operations are checked and timed on the CPU backend instead.`);
  }
}

function onCpu(kind: CpuKind, reason: string): KernelDevice {
  return {
    line: { kind, description: CPU_NAMES[kind], software: true, reason },
    timer: null,
    variant: null,
    open: () => createCpuBackend({ kind }),
    release: () => {},
  };
}

function onGpu(acquired: AcquiredGpu): KernelDevice {
  const { device, software, description } = acquired;
  const kind: Variant = software ? 'plain' : 'tiled';
  const timer = PassTimer.create(device);
  const reason = software
    ? 'It computes on the processor: its times say nothing about GPUs.'
    : 'The GPU, through WebGPU.';
  return {
    line: { kind: 'webgpu', description, software, reason },
    timer,
    variant: kind,
    open: async ({ variant = null, timed = false } = {}) =>
      createWebGpuBackend({ device, software, description, variant: variant ?? kind, timer: timed ? timer : null }),
    release() {
      timer?.destroy();
      acquired.release();
    },
  };
}
