/** Decoding in a sentence or two: what can be drawn as an action, and what becomes of a malformed one. */
import { readDecoding } from '../../../../environments/decoding';
import type { Environment, EnvironmentDefinition, EnvironmentSettings } from '../../../../environments/environment';
import { definitionOf, PART_IDS, settingsOf } from '../../../../environments/mixture/settings';
import { joinNames } from '../../../kit/format';

/** `vocabulary`: words of the policy, those that no world uses included. Of a mixture, world by world where they differ. */
export function decodingWords(
  definition: EnvironmentDefinition,
  settings: EnvironmentSettings,
  environment: Environment,
  vocabulary: number,
): string {
  const { parts } = environment;
  if (parts === undefined) return wordsAlone(definition, settings, environment, vocabulary);
  const worlds = new Map<string, string[]>();
  for (const id of PART_IDS.filter((world) => parts.some((part) => part.id === world))) {
    const words = wordsAlone(definitionOf(id), settingsOf(id, settings), environment, vocabulary);
    worlds.set(words, [...(worlds.get(words) ?? []), definitionOf(id).title.toLowerCase()]);
  }
  if (worlds.size === 1) return [...worlds.keys()].join();
  return [...worlds].map(([words, titles]) => `${words.replace(/\.$/, '')} (${joinNames(titles)}).`).join(' ');
}

function wordsAlone(
  definition: EnvironmentDefinition,
  settings: EnvironmentSettings,
  environment: Environment,
  vocabulary: number,
): string {
  const { free, malformed, penalty } = readDecoding(settings);
  const most = Math.max(
    0,
    ...environment.legalSets.map((set, i) => (i + 1 === environment.thoughts?.legalSet ? 0 : set.length)),
  );
  const drawn = free
    ? `The agent can say any of the ${vocabulary} words`
    : `The agent can only say legal words (at most ${most} of ${environment.words.length})`;
  const setting = definition.settings.find(({ key }) => key === 'malformed');
  if (setting === undefined || setting.isRelevant?.(settings) === false) return `${drawn}.`;
  return `${drawn}. A malformed action ${CONSEQUENCES[malformed](penalty)}.`;
}

const CONSEQUENCES: Readonly<Record<ReturnType<typeof readDecoding>['malformed'], (penalty: number) => string>> = {
  warning: () => 'is answered “malformed” and costs its turn',
  end: () => 'is answered “malformed” and ends the episode',
  penalty: (penalty) => `is answered “malformed” and costs its turn and ${penalty} of the reward`,
};
