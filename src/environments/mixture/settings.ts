/**
 * Settings of a mixture, made from those of its worlds: a weight for each world under its id (`shop`), and every setting of
 * each under the id and its key (`shop-products`).
 */
import { calculator } from '../calculator/calculator';
import type { EnvironmentDefinition, EnvironmentSetting, EnvironmentSettings } from '../environment';
import { gridworld } from '../gridworld/gridworld';
import { own, WORLD_KEY } from '../own/own';
import { shop } from '../shop/shop';
import { terminal } from '../terminal/terminal';

/** All worlds that can be mixed, in the order of a mixture. */
export const WORLDS = { gridworld, calculator, shop, terminal } as const satisfies Record<
  string,
  EnvironmentDefinition
>;
export type WorldId = keyof typeof WORLDS;
export const WORLD_IDS = Object.keys(WORLDS) as readonly WorldId[];

/** Worlds that a mixture can have: the lab's, and one of a user. */
export type PartId = WorldId | 'own';
export const PART_IDS: readonly PartId[] = [...WORLD_IDS, 'own'];

export const definitionOf = (id: PartId): EnvironmentDefinition => (id === 'own' ? own : WORLDS[id]);

const WEIGHTS: Readonly<Record<PartId, number>> = { gridworld: 1, calculator: 1, shop: 0, terminal: 0, own: 0 };

const keyOf = (id: PartId, key: string): string => `${id}-${key}`;

/** Key of the text of the user's world. */
const OWN_TEXT = keyOf('own', WORLD_KEY);

/** 0 for a user's world that is not given. */
export function weightOf(id: PartId, settings: EnvironmentSettings): number {
  if (id === 'own' && settings[OWN_TEXT] === undefined) return 0;
  return Number(settings[id] ?? WEIGHTS[id]);
}

/** Settings of one world under its own keys; only those that are given. */
export function settingsOf(id: PartId, settings: EnvironmentSettings): EnvironmentSettings {
  const { settings: known, isFurther = () => false } = definitionOf(id);
  const first = keyOf(id, '');
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([key]) => key.startsWith(first))
      .map(([key, value]) => [key.slice(first.length), value] as const)
      .filter(([key]) => known.some((setting) => setting.key === key) || isFurther(key)),
  );
}

/** True for a setting of the user's world in a mixture, its text among them. */
export const isFurtherInMixture = (key: string): boolean =>
  key.startsWith(keyOf('own', '')) && own.isFurther?.(key.slice(keyOf('own', '').length)) === true;

function weightSetting(id: PartId): EnvironmentSetting {
  const { title } = definitionOf(id);
  return {
    ...(id === 'own' && { isRelevant: ({ [OWN_TEXT]: text }: EnvironmentSettings) => text !== undefined }),
    key: id,
    label: `Weight: ${title.toLowerCase()}`,
    help: `Tasks are drawn from the ${title.toLowerCase()} in proportion to this; 0 leaves it out, with its words.`,
    type: 'number',
    default: WEIGHTS[id],
    min: 0,
    max: 10,
  };
}

function mixedSetting(id: PartId, setting: EnvironmentSetting): EnvironmentSetting {
  const { label, isRelevant } = setting;
  return {
    ...setting,
    key: keyOf(id, setting.key),
    label: `${definitionOf(id).title}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
    isRelevant: (settings) => weightOf(id, settings) > 0 && (isRelevant?.(settingsOf(id, settings)) ?? true),
  };
}

export const mixtureSettings: readonly EnvironmentSetting[] = [
  ...PART_IDS.map(weightSetting),
  ...WORLD_IDS.flatMap((id) => WORLDS[id].settings.map((setting) => mixedSetting(id, setting))),
];
