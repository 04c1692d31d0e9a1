/**
 * A CPU backend that trains, and beside it a WebGPU backend that records the same programs and never runs them: what a GPU
 * would be asked for in a whole update, without one, in the CPU's time. Its limits and kernels are those of a real GPU.
 */
import type { Backend, Operations } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { callsOf, replay } from '../../src/train/bench/apart';
import { standingIn } from '../../src/train/bench/counts';
import { sharedDevice } from './gpu';

export async function gpuTwin(): Promise<Backend> {
  const cpu = await createCpuBackend();
  const gpu = createWebGpuBackend({ device: await sharedDevice(), software: false });
  /** The GPU's tensor of each of the CPU's. */
  const twins = new Map<unknown, unknown>();
  const twinOf = (value: unknown): unknown => {
    if (twins.has(value)) return twins.get(value);
    if (Array.isArray(value)) return value.map(twinOf);
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, twinOf(part)]));
  };
  const twin: Partial<Backend> = {
    limits: {
      ...gpu.limits,
      maxTensorBytes: cpu.limits.maxTensorBytes,
      maxBindingBytes: cpu.limits.maxBindingBytes,
    },
    tensor(label, type, members, stride) {
      const tensor = cpu.tensor(label, type, members, stride);
      twins.set(tensor, gpu.tensor(label, type, members, stride));
      return tensor;
    },
    record(label, members, build: (operations: Operations) => void) {
      const calls = callsOf(build).map(({ name, args }) => ({ name, args: args.map(twinOf) }));
      const { operations, flops } = gpu.record(label, members, replay(calls));
      return { ...cpu.record(label, members, build), operations, ...(flops && { flops }) };
    },
    dispose() {
      cpu.dispose();
      gpu.dispose();
    },
  };
  return standingIn(cpu, twin);
}
