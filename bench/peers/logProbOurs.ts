/** This lab's side of the log-prob comparison. Unlike the others it also computes the entropies. */
import { ROLE } from '../../src/foundation/roles';
import { acquireGpu } from '../../src/gpu/acquire';
import type { Tensor } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER, HYPER_COLUMNS, packMeta } from '../../src/tensor/layout';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import type { LogProbPeer, LogProbProblem } from './logProbProblem';

export async function ourLogProb(device: 'webgpu' | 'cpu', problem: LogProbProblem): Promise<LogProbPeer> {
  const { rows: N, vocabulary: V, logits, tokens, weights } = problem;
  const backend = device === 'cpu' ? await createCpuBackend() : createWebGpuBackend(await acquireGpu(navigator.gpu));
  // One trajectory: a prompt token, then a target for every row of logits. The last row predicts nothing.
  const R = N + 1;
  const f32 = (label: string, stride: number, data?: Float32Array): Tensor<'f32'> => {
    const tensor = backend.tensor(label, 'f32', 1, stride);
    if (data) backend.write(tensor, data);
    return tensor;
  };
  const u32 = (label: string, data: Uint32Array): Tensor<'u32'> => {
    const tensor = backend.tensor(label, 'u32', 1, data.length);
    backend.write(tensor, data);
    return tensor;
  };
  const table = new Uint32Array(R * 4);
  tokens.forEach((token, i) => {
    table.set([token, i + 1, 0, packMeta(ROLE.observation, 0, 0)], (i + 1) * 4);
  });
  const hyper = new Float32Array(HYPER_COLUMNS);
  hyper[HYPER.temperature] = 1;
  const given = f32('given', R * V, logits);
  const t = {
    logits: f32('logits', R * V),
    logProb: f32('logProb', R),
    entropy: f32('entropy', R),
    logSumExp: f32('logSumExp', 2 * R),
    dLogProb: f32('dLogProb', R, Float32Array.of(0, ...weights)),
    dEntropy: f32('dEntropy', R),
    hyper: f32('hyper', HYPER_COLUMNS, hyper),
  };
  const rows = { table: u32('rows', table), count: u32('count', Uint32Array.of(R)), capacity: R };
  const shared = [rows, u32('legal', new Uint32Array(Math.ceil(V / 32)).fill(0xffffffff)), t.hyper, V] as const;
  const fresh = backend.record('fresh', 1, (ops) => ops.copy(t.logits, given));
  const forward = backend.record('forward', 1, (ops) => {
    ops.maskedLogProb(t.logProb, t.entropy, t.logSumExp, t.logits, ...shared);
  });
  const backward = backend.record('backward', 1, (ops) => {
    ops.maskedLogProbBackward(t.logits, t.dLogProb, t.dEntropy, t.entropy, t.logSumExp, ...shared);
  });
  await backend.prepare();
  const settle = async (): Promise<Float32Array> => {
    const [logProb] = await backend.read(t.logProb);
    return Float32Array.from(logProb.subarray(1));
  };
  return {
    // The gradient overwrites the logits, so they are restored before each run.
    async ready() {
      backend.run(fresh);
      await settle();
    },
    async forward() {
      backend.run(forward);
      return settle();
    },
    async gradient() {
      backend.run(forward, backward);
      await settle();
    },
    async readGradient() {
      const [gradient] = await backend.read(t.logits);
      return Float32Array.from(gradient.subarray(0, N * V));
    },
  };
}
