/**
 * All environments by id, but for the worlds that people write (own/own.ts) and those that other programs serve
 * (remote.ts), which are not listed. An experiment names its environment by this id; validation, controls and link keys come
 * from the definition's own settings.
 */
import { calculator } from './calculator/calculator';
import type { EnvironmentDefinition, EnvironmentSettings } from './environment';
import { gridworld } from './gridworld/gridworld';
import { listener } from './listener/listener';
import { mixture } from './mixture/mixture';
import { own } from './own/own';
import { remote } from './remote';
import { shop } from './shop/shop';
import { terminal } from './terminal/terminal';

export const environments: Readonly<Record<string, EnvironmentDefinition>> = {
  [gridworld.id]: gridworld,
  [calculator.id]: calculator,
  [shop.id]: shop,
  [terminal.id]: terminal,
  [listener.id]: listener,
  [mixture.id]: mixture,
};

export function findEnvironment(id: string): EnvironmentDefinition | undefined {
  if (id === own.id) return own;
  if (id === remote.id) return remote;
  return Object.hasOwn(environments, id) ? environments[id] : undefined;
}

/** Definition of an experiment's environment, with the parts that its settings determine. */
export function definitionFor(id: string, settings: EnvironmentSettings): EnvironmentDefinition | undefined {
  const definition = findEnvironment(id);
  return definition && { ...definition, ...definition.describe?.(settings) };
}

/** The environment's settings at their defaults; none for an environment that does not exist. */
export function defaultSettings(id: string): Record<string, number | boolean | string> {
  return Object.fromEntries((findEnvironment(id)?.settings ?? []).map((setting) => [setting.key, setting.default]));
}
