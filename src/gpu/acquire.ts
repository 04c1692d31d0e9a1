/**
 * A device for compute, from `navigator.gpu` (page, Worker) or Dawn's GPU object (Node): with the adapter's own maxima
 * of the limits that matter, and the optional features it has.
 */
import { LabError } from '../foundation/errors';
import { type GpuState, gpuState } from './state';

export interface AcquiredGpu {
  readonly device: GPUDevice;
  /** Name of the adapter: "Apple M2", "SwiftShader (software)". */
  readonly description: string;
  /** True if the adapter computes on the processor. */
  readonly software: boolean;
  readonly state: GpuState;
  /** Destroys the device; `state.errors.lost` stays unresolved. */
  release(): void;
}

const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxUniformBufferBindingSize',
] as const;

const FEATURES: readonly GPUFeatureName[] = ['timestamp-query'];

/** Throws LabError 'no-webgpu' or 'no-adapter'. An adapter gives one device: call again for another. */
export async function acquireGpu(gpu: GPU | undefined): Promise<AcquiredGpu> {
  if (!gpu) {
    throw new LabError(
      'no-webgpu',
      'This browser has no WebGPU.',
      'Use a current Chrome, Edge, Safari or Firefox over https, or continue on the CPU backend.',
    );
  }
  const adapter = await requestAdapter(gpu);
  const requiredLimits = Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]]));
  const requiredFeatures = FEATURES.filter((feature) => adapter.features.has(feature));
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ requiredLimits, requiredFeatures });
  } catch (cause) {
    throw noAdapter('The GPU was found but would not open.', cause);
  }
  const state = gpuState(device);
  return {
    device,
    description: describeAdapter(adapter.info),
    software: isSoftware(adapter.info),
    state,
    release() {
      state.errors.release();
      device.destroy();
    },
  };
}

async function requestAdapter(gpu: GPU): Promise<GPUAdapter> {
  let cause: unknown;
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (adapter) return adapter;
  } catch (error) {
    cause = error;
  }
  throw noAdapter('WebGPU exists here but offers no GPU.', cause);
}

function noAdapter(what: string, cause: unknown): LabError {
  return new LabError(
    'no-adapter',
    what,
    'Restart the browser (a graphics crash disables the GPU until then), check chrome://gpu, or use the CPU backend.',
    { cause },
  );
}

export function isSoftware(info: GPUAdapterInfo): boolean {
  const words = `${info.vendor} ${info.architecture} ${info.device} ${info.description}`;
  return info.isFallbackAdapter === true || /swiftshader|llvmpipe|lavapipe|softpipe|warp|basic render/i.test(words);
}

export function describeAdapter(info: GPUAdapterInfo): string {
  const words = `${info.vendor} ${info.architecture} ${info.description}`;
  if (/swiftshader/i.test(words)) return 'SwiftShader (software)';
  const name = info.description || [info.vendor, info.architecture].filter(Boolean).join(' ') || 'GPU';
  return isSoftware(info) ? `${name} (software)` : name;
}
