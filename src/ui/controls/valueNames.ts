/** What a setting's value is called: a choice by its name, without what stands in brackets where there is little room. */
import { findArmSetting } from '../../experiment/experiment';
import { shortHash } from '../../experiment/policyFiles';
import type { ChoiceSetting, SettingValue } from '../../experiment/setting';
import { formatSetting } from '../format';

export function nameOfChoice({ names }: ChoiceSetting, choice: string): string {
  return names?.[choice] ?? choice;
}

export function nameOfValue(path: string, value: SettingValue): string {
  const setting = findArmSetting(path);
  if (setting?.type === 'file') return value === '' ? 'none' : shortHash(String(value));
  if (setting?.type !== 'choice') return formatSetting(value);
  return nameOfChoice(setting, String(value)).replace(/ \([^)]*\)$/, '');
}
