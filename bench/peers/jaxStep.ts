/**
 * jax-js's side of the comparison: the same policy from the same initial parameters, gradient by its valueAndGrad, Adam
 * by hand (it has no optimisers on npm), all inside one jit. A use consumes an array; `.ref` keeps it. Tokens are one-hot
 * rows: the gradient of `take` is twice as slow with this vocabulary, and that of `takeAlongAxis` fails in jit.
 */
import { blockUntilReady, defaultDevice, init, jit, nn, numpy as np, valueAndGrad } from '@jax-js/jax';
import { initialParameters, layoutParameters } from '../../src/policy/parameters';
import { drawTokens, LEARNING_RATE, type Shape } from './shapes';

type Tensors = Record<string, np.Array>;

const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

export interface PeerStep {
  /** Takes one step. Resolves with the loss before it, once the device has finished. */
  step(): Promise<number>;
}

export async function jaxStep(device: 'webgpu' | 'wasm', shape: Shape): Promise<PeerStep> {
  const available = await init(device);
  if (!available.includes(device)) throw new Error(`jax-js has no ${device} here.`);
  defaultDevice(device);
  const { policy, batch } = shape;
  const { context: T, vocabulary: V, width: C, heads: H, layers } = policy;
  const D = C / H;
  const layout = layoutParameters(policy);
  const initial = initialParameters(layout, 1, 0);
  const used = layout.specs.filter(({ name }) => !name.startsWith('value.'));
  const make = (fill: (offset: number, count: number) => Float32Array<ArrayBuffer>): Tensors =>
    Object.fromEntries(
      used.map(({ name, shape: dimensions, offset }) => [
        name,
        np
          .array(
            fill(
              offset,
              dimensions.reduce((a, b) => a * b, 1),
            ),
          )
          .reshape([...dimensions]),
      ]),
    );
  let parameters = make((offset, count) => initial.slice(offset, offset + count));
  let first = make((_, count) => new Float32Array(count));
  let second = make((_, count) => new Float32Array(count));
  let steps = np.array(new Float32Array(1)).reshape([]);

  // One-hot rows: the inputs, and the targets of each position divided by the number of predictions.
  const drawn = drawTokens(shape);
  const [input, predicted] = [new Float32Array(batch * T * V), new Float32Array(batch * T * V)];
  drawn.forEach((token, i) => {
    input[i * V + token] = 1;
    if (i % T > 0) predicted[(i - 1) * V + token] = 1 / (batch * (T - 1));
  });
  const tokens = np.array(input).reshape([batch, T, V]);
  const weight = np.array(predicted).reshape([batch, T, V]);
  const mask = np.array(Float32Array.from({ length: T * T }, (_, i) => (i % T > Math.floor(i / T) ? -1e9 : 0)));
  const causal = mask.reshape([T, T]);

  const linear = (p: Tensors, x: np.Array, name: string): np.Array =>
    np.matmul(x, at(p, `${name}.weight`)).add(at(p, `${name}.bias`));
  const norm = (p: Tensors, x: np.Array, name: string): np.Array =>
    nn
      .standardize(x, -1, { epsilon: 1e-5 })
      .mul(at(p, `${name}.gamma`))
      .add(at(p, `${name}.beta`));
  /** x/2·(1 + tanh(√(2/π)(x + 0.044715x³))), written with one sigmoid. */
  const gelu = (x: np.Array): np.Array => {
    const inner = x.ref
      .mul(x.ref)
      .mul(0.044715)
      .add(1)
      .mul(x.ref)
      .mul(2 * Math.sqrt(2 / Math.PI));
    return x.mul(nn.sigmoid(inner));
  };
  const heads = (x: np.Array): np.Array => x.reshape([batch, T, H, D]).transpose([0, 2, 1, 3]);

  const loss = (p: Tensors, tokenTable: np.Array, weightTable: np.Array, bias: np.Array) => {
    let x = np.matmul(tokenTable, at(p, 'tokens')).add(at(p, 'positions'));
    for (let layer = 0; layer < layers; layer++) {
      const name = `layer${layer}`;
      const qkv = linear(p, norm(p, x.ref, `${name}.attentionNorm`), `${name}.qkv`);
      const [q, k, v] = np.split(qkv, 3, -1).map(heads) as [np.Array, np.Array, np.Array];
      const scores = np
        .matmul(q, k.transpose([0, 1, 3, 2]))
        .mul(1 / Math.sqrt(D))
        .add(bias.ref);
      const mixed = np.matmul(nn.softmax(scores, -1), v).transpose([0, 2, 1, 3]).reshape([batch, T, C]);
      x = x.add(linear(p, mixed, `${name}.projection`));
      const up = linear(p, norm(p, x.ref, `${name}.feedForwardNorm`), `${name}.up`);
      x = x.add(linear(p, gelu(up), `${name}.down`));
    }
    bias.dispose();
    const logits = np.matmul(norm(p, x, 'finalNorm'), at(p, 'head.weight'));
    for (const tensor of Object.values(p)) tensor.dispose();
    return np.negative(nn.logSoftmax(logits, -1).mul(weightTable).sum());
  };

  const update = jit(
    (
      p: Tensors,
      m: Tensors,
      v: Tensors,
      count: np.Array,
      tokenTable: np.Array,
      weightTable: np.Array,
      bias: np.Array,
    ) => {
      const held = Object.fromEntries(Object.entries(p).map(([name, tensor]) => [name, tensor.ref]));
      const [value, gradients] = valueAndGrad(loss)(held, tokenTable, weightTable, bias) as [np.Array, Tensors];
      const t = count.add(1);
      const rate1 = np.power(np.array(BETA1), t.ref).mul(-1).add(1);
      const rate2 = np.power(np.array(BETA2), t.ref).mul(-1).add(1);
      const [newP, newM, newV]: [Tensors, Tensors, Tensors] = [{}, {}, {}];
      for (const name of Object.keys(p)) {
        const g = at(gradients, name, false);
        const moment = at(m, name, false)
          .mul(BETA1)
          .add(g.ref.mul(1 - BETA1));
        const square = at(v, name, false)
          .mul(BETA2)
          .add(g.ref.mul(g).mul(1 - BETA2));
        const denominator = np.sqrt(square.ref.div(rate2.ref)).add(EPSILON);
        newP[name] = at(p, name, false).sub(moment.ref.div(rate1.ref).mul(LEARNING_RATE).div(denominator));
        newM[name] = moment;
        newV[name] = square;
      }
      rate1.dispose();
      rate2.dispose();
      return { p: newP, m: newM, v: newV, t, value };
    },
  );

  return {
    async step() {
      const result = update(parameters, first, second, steps, tokens.ref, weight.ref, causal.ref);
      parameters = result.p;
      first = result.m;
      second = result.v;
      steps = result.t;
      // One submission computes all parameters, so waiting for one is enough.
      await blockUntilReady(at(parameters, 'tokens', false));
      return (await result.value.data())[0] as number;
    },
  };
}

function at(tensors: Tensors, name: string, keep = true): np.Array {
  const tensor = tensors[name];
  if (tensor === undefined) throw new RangeError(`There is no parameter ${name}.`);
  return keep ? tensor.ref : tensor;
}
