/**
 * Settings of a mixture, made from those of its worlds: a weight for each world under its id (`shop`), and every setting of
 * each under the id and its key (`shop-products`).
 */
import { calculator } from '../calculator';
import type { EnvironmentDefinition, EnvironmentSetting, EnvironmentSettings } from '../environment';
import { gridworld } from '../gridworld';
import { shop } from '../shop/shop';
import { terminal } from '../terminal/terminal';

/** All worlds that can be mixed, in the order of a mixture. */
export const WORLDS = { gridworld, calculator, shop, terminal } as const satisfies Record<
  string,
  EnvironmentDefinition
>;
export type WorldId = keyof typeof WORLDS;
export const WORLD_IDS = Object.keys(WORLDS) as readonly WorldId[];

const WEIGHTS: Readonly<Record<WorldId, number>> = { gridworld: 1, calculator: 1, shop: 0, terminal: 0 };

export function weightOf(id: WorldId, settings: EnvironmentSettings): number {
  return Number(settings[id] ?? WEIGHTS[id]);
}

const keyOf = (id: WorldId, key: string): string => `${id}-${key}`;

/** Settings of one world under its own keys; only those that are given. */
export function settingsOf(id: WorldId, settings: EnvironmentSettings): EnvironmentSettings {
  const own = WORLDS[id].settings.flatMap(({ key }) => {
    const value = settings[keyOf(id, key)];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(own);
}

function weightSetting(id: WorldId): EnvironmentSetting {
  const { title } = WORLDS[id];
  return {
    key: id,
    label: `Weight: ${title.toLowerCase()}`,
    help: `Tasks are drawn from the ${title.toLowerCase()} in proportion to this; 0 leaves it out, with its words.`,
    type: 'number',
    default: WEIGHTS[id],
    min: 0,
    max: 10,
  };
}

function mixedSetting(id: WorldId, setting: EnvironmentSetting): EnvironmentSetting {
  const { label, isRelevant } = setting;
  return {
    ...setting,
    key: keyOf(id, setting.key),
    label: `${WORLDS[id].title}: ${label.charAt(0).toLowerCase()}${label.slice(1)}`,
    isRelevant: (settings) => weightOf(id, settings) > 0 && (isRelevant?.(settingsOf(id, settings)) ?? true),
  };
}

export const mixtureSettings: readonly EnvironmentSetting[] = [
  ...WORLD_IDS.map(weightSetting),
  ...WORLD_IDS.flatMap((id) => WORLDS[id].settings.map((setting) => mixedSetting(id, setting))),
];
