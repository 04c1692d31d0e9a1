/**
 * An environment's own settings in the form of all other settings: validation, controls and links treat both alike. Their
 * paths are `environment.size` and so on.
 */
import type { EnvironmentDefinition, EnvironmentSetting } from '../../environments/environment';
import type { PlacedSetting, Setting } from './setting';

const RESTART = 'The policies would live in another world, so training starts again.';

export type EnvironmentSettingPlaced = PlacedSetting & { readonly key: string };

export function environmentSettings(definition: Pick<EnvironmentDefinition, 'settings'>): EnvironmentSettingPlaced[] {
  return definition.settings.map((setting) => ({
    ...settingOf(setting),
    key: setting.key,
    path: `environment.${setting.key}`,
  }));
}

function settingOf(setting: EnvironmentSetting): Setting {
  const described = { label: setting.label, help: setting.help, restart: RESTART };
  if (setting.type === 'boolean') return { ...described, type: 'boolean', default: Boolean(setting.default) };
  if (setting.type === 'choice') {
    const { choices = [], names = {} } = setting;
    return { ...described, type: 'choice', default: String(setting.default), choices, names };
  }
  const initial = Number(setting.default);
  const min = setting.min ?? initial;
  const max = setting.max ?? initial;
  const step = setting.type === 'integer' ? 1 : (max - min) / 100;
  return { ...described, type: setting.type, default: initial, min, max, soft: [min, max], scale: 'linear', step };
}
