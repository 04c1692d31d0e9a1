/**
 * Where every parameter of a policy lies in its [N] row of the population's [P, N] tensor, and its initial value.
 * One tensor for all parameters means one dispatch for AdamW, one for the gradient norm, one buffer for a checkpoint.
 */
import { RandomStream, STREAM } from '../foundation/philox';
import type { ParameterView, Tensor } from '../tensor/backend';
import { FEED_FORWARD_FACTOR, type PolicyConfiguration } from './configuration';

export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  /** First element in the member's row; a multiple of 4. */
  readonly offset: number;
  readonly initial: 'zero' | 'one' | { readonly sd: number };
}

export interface ParameterLayout {
  readonly specs: readonly ParameterSpec[];
  /** N, padded to a multiple of 4. */
  readonly size: number;
}

/** Elements of a parameter. */
export function parameterSize({ shape }: ParameterSpec): number {
  return shape.reduce((a, b) => a * b, 1);
}

/** The head starts at most this large, so that the first policy is near uniform. */
const HEAD_SD = 0.02;

/**
 * The layout of a policy. Matrices are [in, out]. The value head is always there, at zero, so that objectives with and
 * without a critic can share a population.
 */
export function layoutParameters(configuration: PolicyConfiguration): ParameterLayout {
  const { layers, width: C, context, vocabulary, positions, initialScale } = configuration;
  const hidden = FEED_FORWARD_FACTOR * C;
  const specs: ParameterSpec[] = [];
  let offset = 0;
  const add = (name: string, shape: readonly number[], initial: ParameterSpec['initial']): void => {
    specs.push({ name, shape, offset, initial });
    offset += Math.ceil(shape.reduce((a, b) => a * b, 1) / 4) * 4;
  };
  const addLinear = (name: string, fanIn: number, fanOut: number): void => {
    add(`${name}.weight`, [fanIn, fanOut], { sd: initialScale });
    add(`${name}.bias`, [fanOut], 'zero');
  };
  const addNorm = (name: string): void => {
    add(`${name}.gamma`, [C], 'one');
    add(`${name}.beta`, [C], 'zero');
  };

  add('tokens', [vocabulary, C], { sd: initialScale });
  if (positions === 'learned') add('positions', [context, C], { sd: initialScale });
  for (let layer = 0; layer < layers; layer++) {
    addNorm(`layer${layer}.attentionNorm`);
    addLinear(`layer${layer}.qkv`, C, 3 * C);
    addLinear(`layer${layer}.projection`, C, C);
    addNorm(`layer${layer}.feedForwardNorm`);
    addLinear(`layer${layer}.up`, C, hidden);
    addLinear(`layer${layer}.down`, hidden, C);
  }
  addNorm('finalNorm');
  add('head.weight', [C, vocabulary], { sd: Math.min(HEAD_SD, initialScale) });
  add('value.weight', [C], 'zero');
  add('value.bias', [1], 'zero');
  return { specs, size: offset };
}

/** Initial parameters of one seed, [N]. The same for every arm: the arm is not part of the key. */
export function initialParameters(layout: ParameterLayout, experimentSeed: number, seedIndex: number): Float32Array {
  const values = new Float32Array(layout.size);
  layout.specs.forEach((spec, index) => {
    if (spec.initial === 'zero') return;
    const count = parameterSize(spec);
    const target = values.subarray(spec.offset, spec.offset + count);
    if (spec.initial === 'one') {
      target.fill(1);
      return;
    }
    const random = new RandomStream(experimentSeed, STREAM.parameters, seedIndex, 0, index);
    for (let i = 0; i < count; i++) target[i] = spec.initial.sd * random.normal();
  });
  return values;
}

/** Finds parameters of a [P, N] tensor by name. */
export function parameterViews(layout: ParameterLayout, tensor: Tensor<'f32'>): (name: string) => ParameterView {
  const views = new Map(
    layout.specs.map((spec) => [spec.name, { tensor, offset: spec.offset, shape: spec.shape } as ParameterView]),
  );
  return (name) => {
    const view = views.get(name);
    if (view === undefined) throw new RangeError(`The policy has no parameter named ${name}.`);
    return view;
  };
}
