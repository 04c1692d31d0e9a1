/** A model out of a folder, whole in memory. */
import { type AdapterForm, adaptedMaps, filledRank, type PolicyConfiguration } from '../policy/configuration';
import {
  holdFrozen,
  initialParameters,
  layoutParameters,
  type ParameterSpec,
  parameterSize,
  parameterViews,
} from '../policy/parameters';
import type { Backend, ParameterView, Tensor } from '../tensor/backend';
import { adapted, readAdapter } from './adapter';
import { readConfig } from './config';
import { type ModelFolder, readJson } from './folder';
import { readWeights } from './weights';

export interface Model {
  readonly configuration: PolicyConfiguration;
  /** Words of the vocabulary; the policy's may be a little larger. */
  readonly tokens: number;
  /** [N]: all parameters, or those of the adapters. */
  readonly parameters: Float32Array;
  /** All parameters of the model below the adapters, where there are some. */
  readonly frozen?: Float32Array;
}

export async function readModel(folder: ModelFolder): Promise<Model> {
  const shape = readConfig(await readJson(folder, 'config.json'));
  const configuration = shape.policy(shape.longest);
  return { configuration, tokens: shape.tokens, parameters: await readWeights(folder, configuration, shape.tokens) };
}

/** The model with an adapter out of a folder. */
export async function withAdapter(model: Model, folder: ModelFolder): Promise<Model> {
  const configuration = await adapted(folder, model.configuration);
  return { ...model, configuration, parameters: await readAdapter(folder, configuration), frozen: model.parameters };
}

/** The model with new adapters: frozen, B = 0. */
export function withNewAdapters(model: Model, adapters: AdapterForm, seed: number): Model {
  const configuration = { ...model.configuration, adapters };
  const parameters = initialParameters(layoutParameters(configuration), seed, 0);
  return { ...model, configuration, parameters, frozen: model.parameters };
}

/** One set of weights that computes the same as a model with adapters: each map's plus A·B times its factor. */
export function merged({ configuration, parameters, frozen, ...model }: Model): Model {
  const { adapters, ...whole } = configuration;
  if (adapters === undefined || frozen === undefined) return { ...model, configuration, parameters };
  const filled = filledRank(adapters);
  const weights = Float32Array.from(frozen);
  const own = layoutParameters(configuration).specs;
  const specs = new Map(layoutParameters(whole).specs.map((spec) => [spec.name, spec]));
  const valuesOf = (name: string): Float32Array => {
    const spec = own.find((one) => one.name === name) as ParameterSpec;
    return parameters.subarray(spec.offset, spec.offset + parameterSize(spec));
  };
  for (let layer = 0; layer < whole.layers; layer++) {
    for (const { name, map, inputs, outputs, first } of adaptedMaps(configuration)) {
      const [A, B] = [valuesOf(`layer${layer}.${name}.A`), valuesOf(`layer${layer}.${name}.B`)];
      const { offset, shape } = specs.get(`layer${layer}.${map}.weight`) as ParameterSpec;
      for (let k = 0; k < inputs; k++) {
        const row = offset + k * shape[1] + first;
        const added = new Float64Array(outputs);
        for (let i = 0; i < filled; i++) {
          const a = adapters.factor * A[k * filled + i];
          for (let n = 0; n < outputs; n++) added[n] += a * B[i * outputs + n];
        }
        for (let n = 0; n < outputs; n++) weights[row + n] += added[n];
      }
    }
  }
  for (const name of ['value.weight', 'value.bias']) weights.set(valuesOf(name), specs.get(name)?.offset);
  return { ...model, configuration: whole, parameters: weights };
}

/** Puts a model on a backend. Returns the parameters to train, and a finder of all its parameters. */
export function holdModel(
  backend: Backend,
  { configuration, parameters, frozen }: Omit<Model, 'tokens'>,
): { readonly tensor: Tensor<'f32'>; readonly find: (name: string) => ParameterView } {
  const tensor = backend.tensor('parameters', 'f32', 1, parameters.length);
  backend.write(tensor, parameters);
  const held = frozen && { frozen: holdFrozen(backend, configuration, frozen) };
  return { tensor, find: parameterViews({ ...layoutParameters(configuration), ...held }, tensor) };
}
