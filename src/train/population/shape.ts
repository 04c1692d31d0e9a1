/** An experiment's world, and the shape of the policies in it. */
import '../../environments/own/here';
import type { Environment } from '../../environments/environment';
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary, type Vocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
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
  { policy }: Experiment,
  { words, context }: Environment,
): { readonly vocabulary: Vocabulary; readonly configuration: PolicyConfiguration } {
  const vocabulary = composeVocabulary([words]);
  const configuration = { ...policy, context, vocabulary: vocabulary.size };
  checkConfiguration(configuration);
  return { vocabulary, configuration };
}

/** Place of a parameter in a member's row of a checkpoint's tensors: its first element, and its shape. */
export type ParameterPlace = Pick<ParameterSpec, 'name' | 'shape' | 'offset'>;

export function parameterPlaces(experiment: Experiment): ParameterPlace[] {
  const { specs } = layoutParameters(policyShape(experiment, createEnvironment(experiment)).configuration);
  return specs.map(({ name, shape, offset }) => ({ name, shape, offset }));
}
