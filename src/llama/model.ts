/** A model out of a folder, whole in memory. */
import { type AdapterForm, adaptedMaps, filledRank, type PolicyConfiguration } from '../policy/configuration';
import { holdFrozen, inOne, inParts, type StoredWeights } from '../policy/frozen';
import {
  initialParameters,
  layoutParameters,
  type ParameterSpec,
  parameterSize,
  parameterViews,
} from '../policy/parameters';
import type { Backend, ParameterView, Tensor } from '../tensor/backend';
import { ADAPTER_CONFIG, adapted, readAdapter } from './adapter';
import { readConfig } from './config';
import { type ModelFolder, readJson } from './folder';
import { readWeights } from './weights';

export interface Model {
  readonly configuration: PolicyConfiguration;
  /** Words of the vocabulary; the policy's may be a little larger. */
  readonly tokens: number;
  /** [N] what may be trained: all parameters, those of the adapters, or none of a model that is frozen as a whole. */
  readonly parameters: Float32Array;
  /** The model below the adapters, or the whole one. */
  readonly frozen?: StoredWeights;
}

/** The model as its files hold it, frozen. */
export async function readModel(folder: ModelFolder): Promise<Required<Model>> {
  const shape = readConfig(await readJson(folder, 'config.json'));
  const configuration = shape.policy(shape.longest);
  const frozen = await readWeights(folder, configuration, shape.tokens);
  return { configuration, tokens: shape.tokens, parameters: new Float32Array(0), frozen };
}

/** The model of a folder, with the adapter beside it where there is one, as PEFT's and transformers' loaders take it. */
export async function readWithAdapter(folder: ModelFolder): Promise<Required<Model>> {
  const model = await readModel(folder);
  return (await folder.open(ADAPTER_CONFIG)) === null ? model : withAdapter(model, folder);
}

/** The model with all of its parameters to be trained, in float32; one with adapters has those. */
export function trainable(model: Model): Model {
  const { frozen, ...rest } = model;
  if (frozen === undefined || model.configuration.adapters !== undefined) return model;
  return { ...rest, parameters: inOne(model.configuration, frozen) };
}

/** The model with an adapter out of a folder. */
export async function withAdapter(model: Required<Model>, folder: ModelFolder): Promise<Required<Model>> {
  const configuration = await adapted(folder, model.configuration);
  return { ...model, configuration, parameters: await readAdapter(folder, configuration) };
}

/** The model with new adapters: frozen, with those that it has, B = 0. */
export function withNewAdapters(given: Model, adapters: AdapterForm, seed: number): Required<Model> {
  const model = merged(given);
  const frozen = model.frozen ?? inParts(model.configuration, model.parameters);
  const configuration = { ...model.configuration, adapters };
  const parameters = initialParameters(layoutParameters(configuration), seed, 0);
  return { ...model, configuration, parameters, frozen };
}

/** One set of weights that computes the same as a model with adapters: each map's plus A·B times its factor. */
export function merged(given: Model): Model {
  const { configuration, parameters, frozen, ...model } = given;
  const { adapters, ...whole } = configuration;
  if (adapters === undefined || frozen === undefined) return given;
  const filled = filledRank(adapters);
  const weights = inOne(whole, frozen);
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
  const layout = layoutParameters(configuration);
  const specs = parameters.length === 0 ? [] : layout.specs;
  const held = frozen && { frozen: holdFrozen(backend, configuration, frozen) };
  return { tensor, find: parameterViews({ ...layout, specs, ...held }, tensor) };
}
