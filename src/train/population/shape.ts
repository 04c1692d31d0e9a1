/** An experiment's world, and the shape of the policies in it. */
import '../../environments/own/here';
import type { Environment } from '../../environments/environment';
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary, type Vocabulary } from '../../environments/vocabulary';
import type { Experiment } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { checkConfiguration, type PolicyConfiguration } from '../../policy/configuration';

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
