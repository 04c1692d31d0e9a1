/** Backend of a run in Node: WebGPU through Dawn, or the CPU with threads. Its reason says why there is no GPU. */
import { isCpu } from '../foundation/cpuVariants';
import { LabError } from '../foundation/errors';
import type { PoolChoice } from '../train/pool/port';
import type { BackendChoice } from '../train/protocol';
import { type BackendTask, type ChosenBackend, chooseBackend, cpuFor } from '../train/run/choose/backends';
import { createNodeGpu } from './gpu';

export async function chooseNodeBackend(
  choice: BackendChoice,
  pool: PoolChoice,
  task?: BackendTask,
  createGpu: () => Promise<{ readonly gpu: GPU }> = createNodeGpu,
): Promise<ChosenBackend> {
  if (isCpu(choice) || choice === 'reference') return chooseBackend(choice, undefined, pool);
  let gpu: GPU;
  try {
    ({ gpu } = await createGpu());
  } catch (cause) {
    const why = asNoAdapter(cause);
    if (choice === 'webgpu') throw why;
    const reason = `the CPU, because the GPU cannot be had: ${why.what.replace(/\.$/, '')}`;
    return { ...(await chooseBackend(cpuFor(choice), undefined, pool)), reason };
  }
  return chooseBackend(choice, gpu, pool, task);
}

function asNoAdapter(cause: unknown): LabError {
  if (cause instanceof LabError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  const what = `WebGPU could not be started in Node: ${why.trim()}`;
  return new LabError('no-adapter', what, 'Choose --backend cpu, which needs no GPU.', { cause });
}
