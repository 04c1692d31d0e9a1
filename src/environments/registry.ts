/**
 * Which environments there are, by id, and which of them can be drawn as a board. An experiment names its environment by
 * this id; validation, controls and link keys come from the definition's own settings.
 */
import type { BoardFrame, EnvironmentDefinition, EnvironmentSettings } from './environment';
import { boardFrames, gridworld } from './gridworld';
import { shop } from './shop/shop';

export const environments: Readonly<Record<string, EnvironmentDefinition>> = {
  [gridworld.id]: gridworld,
  [shop.id]: shop,
};

export function findEnvironment(id: string): EnvironmentDefinition | undefined {
  return Object.hasOwn(environments, id) ? environments[id] : undefined;
}

/** The environment's settings at their defaults; none for an environment that does not exist. */
export function defaultSettings(id: string): Record<string, number | boolean | string> {
  return Object.fromEntries((findEnvironment(id)?.settings ?? []).map((setting) => [setting.key, setting.default]));
}

/** One frame for the prompt and one for each turn, replayed from the tokens of a trajectory. */
export type BoardFrames = (
  settings: EnvironmentSettings,
  tokens: ArrayLike<number>,
  roles: ArrayLike<number>,
) => BoardFrame[];

/** How to draw an environment's trajectories as a board; undefined for environments that are text only. */
export function findBoard(id: string): BoardFrames | undefined {
  return id === gridworld.id ? boardFrames : undefined;
}
