/** Looking for settings among all of them: by name, by what the help or a choice says, and by the key in links. */
import { createContext, useContext, useMemo } from 'react';
import { definitionFor } from '../../../environments/registry';
import { type Experiment, experimentSettings, findArmSetting } from '../../../experiment/experiment';
import { environmentSettings } from '../../../experiment/settings/environmentSettings';
import type { PlacedSetting } from '../../../experiment/settings/setting';
import { FIRST, SECTIONS } from './armSections';

type Found = (setting: PlacedSetting | undefined) => boolean;

/** Text searched for among settings; empty if none. */
export const SearchContext = createContext('');

/** Settings that match the search; null while there is none. */
export function useFound(): Found | null {
  const text = useContext(SearchContext);
  return useMemo(() => foundBy(text), [text]);
}

/** Settings that have every word. */
export function foundBy(text: string): Found | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return (setting) => {
    if (setting === undefined) return false;
    const { label, help, path } = setting;
    const choices = setting.type === 'choice' ? [...setting.choices, ...Object.values(setting.names ?? {})] : [];
    const said = [label, help, path, ...choices].join(' ').toLowerCase();
    return words.every((word) => said.includes(word));
  };
}

/** All that there are for an experiment: those of arms, of its world, and its own. */
export function settingsOf({ environment, policy }: Experiment): readonly PlacedSetting[] {
  const arms = [...FIRST, ...SECTIONS.flatMap(({ paths }) => paths)].map(findArmSetting);
  return [
    ...arms.filter((setting) => setting !== undefined),
    ...settingsOfWorld(environment),
    ...settingsOfRun(policy),
  ];
}

/** Settings that have an effect in the world with its present settings. */
export function settingsOfWorld({ id, settings }: Experiment['environment']) {
  const definition = definitionFor(id, settings);
  if (definition === undefined) return [];
  const idle = new Set(
    definition.settings.filter(({ isRelevant }) => isRelevant?.(settings) === false).map(({ key }) => key),
  );
  return environmentSettings(definition).filter(({ key }) => !idle.has(key));
}

/** Settings that have an effect: a language model brings its shape with it, and it alone can have adapters. */
export function settingsOfRun({ model, initialisation, adapterRank }: Experiment['policy']): readonly PlacedSetting[] {
  const shape = ['layers', 'width', 'heads', 'positions', 'activation', 'initialisation', 'initialScale'];
  const adapters = ['adapterRank', 'adapterAlpha', 'adapterMaps', 'adapterReference'];
  const idle =
    model === 'noise'
      ? [...adapters, ...(initialisation === 'normal' ? [] : ['initialScale'])]
      : [...shape, ...(adapterRank === 0 ? ['adapterAlpha', 'adapterMaps', 'adapterReference'] : [])];
  const paths = new Set(idle.map((key) => `policy.${key}`));
  return experimentSettings.filter(({ path }) => !paths.has(path));
}
