/** Facts of an environment: what is known of it without playing, as data. */
import type { Environment } from './environment';

export const FACTS = [
  'words',
  'kinds',
  'context',
  'maxTurns',
  'maxActionTokens',
  'stopToken',
  'stopTokens',
  'model',
  'maxObservationTokens',
  'toolWords',
  'legalSets',
  'thoughts',
  'simulatedEpisodes',
  'hasHeldOut',
  'outcomeWords',
  'milestoneWords',
] as const satisfies readonly (keyof Environment)[];

/** Those of its properties that it has. */
export function propertiesOf<Key extends keyof Environment>(
  environment: Environment,
  keys: readonly Key[],
): Pick<Environment, Key> {
  const own = keys.filter((key) => environment[key] !== undefined).map((key) => [key, environment[key]]);
  return Object.fromEntries(own) as Pick<Environment, Key>;
}
