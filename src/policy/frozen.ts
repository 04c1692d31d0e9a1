/** Weights of a language model in the type of its files: frozen ones stay in it, in two bytes a number or in four. */
import type { Backend, WeightType } from '../tensor/backend';
import { inFloats } from '../tensor/halves';
import type { PolicyConfiguration } from './configuration';
import { layoutFrozen, type ParameterLayout, type ParameterSpec, parameterSize } from './parameters';

/** A parameter's numbers. Vectors are float32. */
export interface StoredNumbers {
  readonly type: WeightType;
  readonly values: Float32Array | Uint16Array;
}

/** Weights by the names of layoutFrozen; a value head is no part of them. */
export type StoredWeights = ReadonlyMap<string, StoredNumbers>;

/** Parameters of a language model, in the order of its layout. */
export const storedSpecs = (configuration: PolicyConfiguration): readonly ParameterSpec[] =>
  layoutFrozen(configuration).specs.filter(({ name }) => !name.startsWith('value.'));

export const storedBytes = (weights: StoredWeights): number =>
  [...weights.values()].reduce((sum, { values }) => sum + values.byteLength, 0);

/** All parameters [N] in float32; the value head is 0. */
export function inOne(configuration: PolicyConfiguration, weights: StoredWeights): Float32Array {
  const parameters = new Float32Array(layoutFrozen(configuration).size);
  for (const { name, offset } of storedSpecs(configuration)) {
    const { type, values } = numbersOf(weights, name);
    parameters.set(inFloats(values, type), offset);
  }
  return parameters;
}

/** Parameters [N] in float32 by name, not copied. */
export const inParts = (configuration: PolicyConfiguration, parameters: Float32Array): StoredWeights =>
  new Map(
    storedSpecs(configuration).map((spec) => {
      const values = parameters.subarray(spec.offset, spec.offset + parameterSize(spec));
      return [spec.name, { type: 'f32', values }];
    }),
  );

/** Puts weights on a backend, once for all members. Each is a tensor of its own, so that none is larger than a device can bind. */
export function holdFrozen(
  backend: Pick<Backend, 'tensor' | 'write'>,
  configuration: PolicyConfiguration,
  weights: StoredWeights,
): ParameterLayout['frozen'] {
  return new Map(
    storedSpecs(configuration).map(({ name, shape }) => {
      const { type, values } = numbersOf(weights, name);
      const tensor = backend.tensor(`frozen.${name}`, type, 1, values.length, true);
      backend.write(tensor, values);
      return [name, { tensor, offset: 0, shape }];
    }),
  );
}

function numbersOf(weights: StoredWeights, name: string): StoredNumbers {
  const numbers = weights.get(name);
  if (numbers === undefined) throw new RangeError(`The model has no parameter named ${name}.`);
  return numbers;
}
