/** TensorFlow.js's side of the log-prob comparison: gatherND − logSumExp; the gradient by logSoftmax times one-hot rows. */
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import '@tensorflow/tfjs-backend-webgpu';
import type { LogProbPeer, LogProbProblem } from './logProbProblem';

export async function tensorflowLogProb(problem: LogProbProblem): Promise<LogProbPeer> {
  if (!(await tf.setBackend('webgpu'))) throw new Error('TensorFlow.js has no WebGPU here.');
  await tf.ready();
  const { rows, vocabulary, logits, tokens, weights } = problem;
  const x = tf.tensor2d(logits, [rows, vocabulary]);
  const chosen = tf.tensor2d(
    Array.from(tokens, (token, r) => [r, token]),
    [rows, 2],
    'int32',
  );
  const oneHot = tf.cast(tf.oneHot(tf.tensor1d(Int32Array.from(tokens), 'int32'), vocabulary), 'float32');
  const weighted = tf.mul(oneHot, tf.tensor2d(weights, [rows, 1]));
  const differentiate = tf.grad((z: tf.Tensor) => tf.sum(tf.mul(tf.logSoftmax(z, -1), weighted)));
  let last: tf.Tensor | null = null;
  return {
    async ready() {},
    async forward() {
      const result = tf.tidy(() => tf.sub(tf.gatherND(x, chosen), tf.logSumExp(x, 1)));
      const values = (await result.data()) as Float32Array;
      result.dispose();
      return values;
    },
    async gradient() {
      last?.dispose();
      last = tf.tidy(() => differentiate(x));
      // Waits for a single number of it, so the time does not include reading all of it back.
      const one = tf.slice(last, [0, 0], [1, 1]);
      await one.data();
      one.dispose();
    },
    async readGradient() {
      if (!last) throw new Error('There is no gradient yet.');
      return (await last.data()) as Float32Array;
    },
  };
}
