/** The shared objective (../objective) on WebAssembly memory: its functions read and write a member's floats in place. */
import type { Tensor } from '../backend';
import type { ObjectiveHost } from '../objective/host';
import type { CpuRecorder } from './recorder';

const BYTES = 4;

export function objectiveHost(recorder: CpuRecorder): ObjectiveHost {
  const { memory, members } = recorder;
  const place = (tensor: Tensor, p: number): [first: number, end: number] => {
    const first = recorder.at(tensor, p) / BYTES;
    return [first, first + tensor.stride];
  };
  return {
    members,
    record: (step) => recorder.record(step),
    f32: (tensor, p) => memory.f32.subarray(...place(tensor, p)),
    u32: (tensor, p) => memory.u32.subarray(...place(tensor, p)),
  };
}
