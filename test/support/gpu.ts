// The GPUDevice that all kernel tests share: SwiftShader through Dawn, or the machine's GPU with UNMASK_TEST_GPU=1. The
// `kernel` project runs all its files in one process with this one device, so tests must not destroy it.
import { createNodeGpu } from '../../src/node/gpu';

interface SharedGpu {
  gpu: GPU;
  adapter: GPUAdapter;
  device: GPUDevice;
  description: string;
}

const shared = globalThis as typeof globalThis & { unmaskTestGpu?: Promise<SharedGpu> };

/** Adapter and device with every limit and feature this adapter offers, so that all kernel variants can be tested. */
export function sharedGpu(): Promise<SharedGpu> {
  shared.unmaskTestGpu ??= openGpu();
  return shared.unmaskTestGpu;
}

export async function sharedDevice(): Promise<GPUDevice> {
  return (await sharedGpu()).device;
}

async function openGpu(): Promise<SharedGpu> {
  if (process.env.UNMASK_TEST_GPU !== '1') process.env.UNMASK_SOFTWARE_GPU = '1';
  const { gpu, description } = await createNodeGpu();
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('The adapter vanished between two requests.');
  const requiredFeatures = (['timestamp-query', 'subgroups', 'shader-f16'] as GPUFeatureName[]).filter((feature) =>
    adapter.features.has(feature),
  );
  const requiredLimits: Record<string, GPUSize64> = {};
  for (const limit in adapter.limits) {
    const value = adapter.limits[limit as keyof GPUSupportedLimits];
    if (typeof value === 'number') requiredLimits[limit] = value;
  }
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
  device.addEventListener('uncapturederror', (event) => {
    process.nextTick(() => {
      throw new Error(`Uncaptured ${event.error.constructor.name}: ${event.error.message}`);
    });
  });
  return { gpu, adapter, device, description };
}
