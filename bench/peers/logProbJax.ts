/** jax-js's side of the log-prob comparison: takeAlongAxis(logSoftmax(x)) in one jit. Use consumes arrays, except `.ref`. */
import { blockUntilReady, defaultDevice, grad, init, jit, nn, numpy as np } from '@jax-js/jax';
import type { LogProbPeer, LogProbProblem } from './logProbProblem';

export async function jaxLogProb(device: 'webgpu' | 'wasm', problem: LogProbProblem): Promise<LogProbPeer> {
  const available = await init(device);
  if (!available.includes(device)) throw new Error(`jax-js has no ${device} here.`);
  defaultDevice(device);
  const { rows, vocabulary, logits, tokens, weights } = problem;
  const x = np.array(logits).reshape([rows, vocabulary]);
  const chosen = np.array(Int32Array.from(tokens)).reshape([rows, 1]);
  const weight = np.array(weights).reshape([rows, 1]);
  // Weighted one-hot rows, to pick a token where jit cannot take the gradient of takeAlongAxis.
  const oneHot = new Float32Array(rows * vocabulary);
  tokens.forEach((token, r) => {
    oneHot[r * vocabulary + token] = weights[r] as number;
  });
  const weighted = np.array(oneHot).reshape([rows, vocabulary]);
  const pick = jit((z: np.Array, index: np.Array) => np.takeAlongAxis(nn.logSoftmax(z, -1), index, -1));
  const alongAxis = jit(
    grad((z: np.Array, index: np.Array, by: np.Array) =>
      np.takeAlongAxis(nn.logSoftmax(z, -1), index, -1).mul(by).sum(),
    ),
  );
  const byOneHot = jit(grad((z: np.Array, by: np.Array) => nn.logSoftmax(z, -1).mul(by).sum()));
  let last: np.Array | null = null;
  let differentiate = (): np.Array => alongAxis(x.ref, chosen.ref, weight.ref) as np.Array;
  try {
    await blockUntilReady(differentiate());
    console.log('jax-js: gradient of takeAlongAxis');
  } catch (error) {
    console.log(
      `jax-js: its gradient of takeAlongAxis fails in jit (${String(error).slice(0, 100)}): one-hot rows instead`,
    );
    differentiate = () => byOneHot(x.ref, weighted.ref) as np.Array;
  }
  return {
    async ready() {},
    async forward() {
      return (await pick(x.ref, chosen.ref).data()) as Float32Array;
    },
    async gradient() {
      last?.dispose();
      last = differentiate();
      await blockUntilReady(last);
    },
    async readGradient() {
      if (!last) throw new Error('There is no gradient yet.');
      return (await last.ref.data()) as Float32Array;
    },
  };
}
