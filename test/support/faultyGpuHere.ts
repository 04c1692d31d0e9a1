/** A GPU for each test of a file, where a page's navigator has it; its devices can be lost. */
import { afterEach, beforeEach, vi } from 'vitest';
import { FaultyGpu } from './faultyGpu';

/** Puts a GPU in the place of the navigator's, until the test ends. */
export const stubGpu = ({ gpu }: FaultyGpu): void => {
  vi.stubGlobal('navigator', { gpu, hardwareConcurrency: 2 });
};

export function faultyGpuHere(): () => FaultyGpu {
  let gpu: FaultyGpu;
  beforeEach(async () => {
    gpu = await FaultyGpu.create();
    stubGpu(gpu);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  return () => gpu;
}
