/** An experiment's world, and the shape of the policies in it. */
import '../../environments/own/here';
import type { Environment } from '../../environments/environment';
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary, type Vocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
import { type BaseModel, findModel } from '../../experiment/models';
import { LabError } from '../../foundation/errors';
import { checkConfiguration, type PolicyConfiguration } from '../../policy/configuration';
import { layoutParameters, type ParameterSpec } from '../../policy/parameters';

export function createEnvironment({ environment: { id, settings } }: Pick<Experiment, 'environment'>): Environment {
  const definition = findEnvironment(id);
  if (definition !== undefined) return definition.create(settings);
  throw new LabError(
    'invalid-experiment',
    `There is no environment called ${id}.`,
    'Choose one of the environments in the list.',
  );
}

/** Vocabulary and shape of the policies. Throws LabError 'limits' for a shape that the kernels cannot compute. */
export function policyShape(
  { policy: { model: id, adapterRank: rank, adapterAlpha, adapterMaps, adapterReference: _, ...policy } }: Experiment,
  { words, context }: Environment,
): { readonly vocabulary: Vocabulary; readonly configuration: PolicyConfiguration } {
  const vocabulary = composeVocabulary([words]);
  const model = findModel(id);
  if (model === undefined && id !== 'noise') {
    const what = `The language model with the SHA-256 ${id} is not open here.`;
    throw new LabError('missing-policy', what, 'Open its folder, on the command line by --model DIR.');
  }
  if (model !== undefined && context > model.longest) {
    const what = `Episodes may have ${context} tokens, and ${model.title} was made for texts of ${model.longest}.`;
    throw new LabError('invalid-experiment', what, 'Choose a world of shorter texts.');
  }
  const shape = { ...policy, context, vocabulary: vocabulary.size };
  const configuration: PolicyConfiguration =
    model === undefined
      ? shape
      : {
          ...shape,
          ...shapeOf(model, words.length),
          positions: 'rotary',
          ...(rank > 0 && { adapters: { rank, factor: adapterAlpha / rank, maps: ADAPTED_MAPS[adapterMaps] } }),
        };
  checkConfiguration(configuration);
  return { vocabulary, configuration };
}

const ATTENTION = ['q_proj', 'k_proj', 'v_proj', 'o_proj'].map((name) => `self_attn.${name}`);

/** Maps that have adapters, by the setting "Adapters of". */
export const ADAPTED_MAPS = {
  'q, v': ['self_attn.q_proj', 'self_attn.v_proj'],
  attention: ATTENTION,
  all: [...ATTENTION, 'mlp.gate_proj', 'mlp.up_proj', 'mlp.down_proj'],
} as const;

function shapeOf({ title, tokens, layers, width, heads, llama }: BaseModel, words: number) {
  if (words === tokens) return { layers, width, heads, llama };
  const what = `${title} reads and writes ${tokens} pieces of text, and this world has ${words} words.`;
  throw new LabError('invalid-experiment', what, 'Let the policies begin from noise, or choose a world of texts.');
}

/** Place of a parameter in a member's row of a checkpoint's tensors: its first element, and its shape. */
export type PolicyParameter = Pick<ParameterSpec, 'name' | 'shape' | 'offset'>;

export function parameterPlaces(experiment: Experiment): PolicyParameter[] {
  const { specs } = layoutParameters(policyShape(experiment, createEnvironment(experiment)).configuration);
  return specs.map(({ name, shape, offset }) => ({ name, shape, offset }));
}
