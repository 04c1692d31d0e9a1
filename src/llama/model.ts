/** A model out of a folder, whole in memory. */
import type { AdapterForm, PolicyConfiguration } from '../policy/configuration';
import { holdFrozen, initialParameters, layoutParameters, parameterViews } from '../policy/parameters';
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

/** Puts a model on a backend. Returns what may be trained of it, and a finder of all its parameters. */
export function holdModel(
  backend: Backend,
  { configuration, parameters, frozen }: Omit<Model, 'tokens'>,
): { readonly tensor: Tensor<'f32'>; readonly find: (name: string) => ParameterView } {
  const tensor = backend.tensor('parameters', 'f32', 1, parameters.length);
  backend.write(tensor, parameters);
  const held = frozen && { frozen: holdFrozen(backend, configuration, frozen) };
  return { tensor, find: parameterViews({ ...layoutParameters(configuration), ...held }, tensor) };
}
