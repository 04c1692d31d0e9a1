/** State of a device, shared by the backends on it: errors, compiled pipelines, staging buffers. */
import { DeviceErrors } from './deviceErrors';
import { PipelineCache } from './pipelines';
import { ReadbackRing } from './readback';

export interface GpuState {
  readonly errors: DeviceErrors;
  readonly pipelines: PipelineCache;
  readonly readback: ReadbackRing;
}

const states = new WeakMap<GPUDevice, GpuState>();

export function gpuState(device: GPUDevice): GpuState {
  let state = states.get(device);
  if (!state) {
    const errors = new DeviceErrors(device);
    state = { errors, pipelines: new PipelineCache(device), readback: new ReadbackRing(device, errors) };
    states.set(device, state);
  }
  return state;
}
