/**
 * The device that kernels are checked and timed on: WebGPU wherever there is any, because the kernels are written for it,
 * software included; the CPU backend where there is none or the person chose it. Kept from one job to the next, so that
 * nothing is compiled twice; every backend on it frees its tensors when it is disposed of.
 */
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
  /** The variant of the kernels that the device trains with; null on the CPU. */
  readonly variant: Variant | null;
  /** A backend without tensors. `timed`: every program of a run is timed by `timer`. */
  open(options?: { variant?: Variant | null; timed?: boolean }): Promise<Backend>;
  release(): void;
}

export async function openDevice(choice: BackendChoice, gpu: GPU | undefined): Promise<KernelDevice> {
  if (choice === 'cpu' || choice === 'reference') {
    return onCpu('The CPU backend, because “Runs on” says so: its operations are checked, not the WGSL.');
  }
  try {
    return onGpu(await acquireGpu(gpu));
  } catch (cause) {
    if (!(cause instanceof LabError) || (cause.code !== 'no-webgpu' && cause.code !== 'no-adapter')) throw cause;
    return onCpu(`${cause.what} The same operations are checked and timed on the CPU backend instead.`);
  }
}

function onCpu(reason: string): KernelDevice {
  return {
    line: { kind: 'cpu', description: 'CPU (WebAssembly SIMD)', software: true, reason },
    timer: null,
    variant: null,
    open: () => createCpuBackend(),
    release: () => {},
  };
}

function onGpu(acquired: AcquiredGpu): KernelDevice {
  const { device, software, description } = acquired;
  const own: Variant = software ? 'plain' : 'tiled';
  const timer = PassTimer.create(device);
  const reason = software
    ? 'Software WebGPU: the kernels as they are, computed on the processor. Their times say nothing about GPUs.'
    : 'The GPU, through WebGPU.';
  return {
    line: { kind: 'webgpu', description, software, reason },
    timer,
    variant: own,
    open: async ({ variant = null, timed = false } = {}) =>
      createWebGpuBackend({ device, software, description, variant: variant ?? own, timer: timed ? timer : null }),
    release() {
      timer?.destroy();
      acquired.release();
    },
  };
}
