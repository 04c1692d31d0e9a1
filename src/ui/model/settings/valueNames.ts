/** Name of a setting's value: a choice by its name, without its brackets where there is little room. */
import { isOwnModel } from '../../../environments/own/own';
import { environments } from '../../../environments/registry';
import { type LossPlace, lossPath } from '../../../experiment/arm/ownLosses';
import { shortHash } from '../../../experiment/arm/policyFiles';
import { experimentSettings, findArmSetting } from '../../../experiment/experiment';
import { findModel } from '../../../experiment/models';
import { environmentSettings } from '../../../experiment/settings/environmentSettings';
import type { ChoiceSetting, PlacedSetting, SettingValue } from '../../../experiment/settings/setting';
import { formatSetting } from '../../kit/format';

/** Words for what a user's loss replaces or adds. */
const PLACE_NAMES: Readonly<Record<LossPlace, string>> = {
  policy: 'that of the policy loss',
  predict: 'that of the prediction loss',
  added: 'added',
};

/** A text in one line: the first of its comments, or what is minimised. */
function summaryOfText(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const comment = lines[0]?.startsWith('#') ? lines[0].replace(/^#+\s*/, '') : '';
  const shown = comment === '' ? (lines.find((line) => line.startsWith('loss')) ?? 'a text') : comment;
  return shown.length > 60 ? `${shown.slice(0, 59)}…` : shown;
}

/** An id without a name of its own is read as words: `random-policy` is “random policy”. */
export function nameOfChoice({ names, orHash }: Pick<ChoiceSetting, 'names' | 'orHash'>, choice: string): string {
  if (orHash === true && isOwnModel(choice)) return findModel(choice)?.title ?? `${shortHash(choice)}…`;
  return names?.[choice] ?? choice.replaceAll('-', ' ');
}

export function nameOfValue(path: string, value: SettingValue): string {
  const part = lossPath(path)?.part.kind;
  if (part === 'text') return value === '' ? 'nothing: it is removed' : summaryOfText(String(value));
  if (part === 'place') return PLACE_NAMES[value as LossPlace];
  const setting = findArmSetting(path) ?? findOther(path, value);
  if (setting?.type === 'file') return value === '' ? 'none' : shortHash(String(value));
  if (setting?.type !== 'choice') return formatSetting(value);
  return nameOfChoice(setting, String(value)).replace(/ \([^)]*\)$/, '');
}

/** A setting of the experiment or of whichever environment offers this choice. */
function findOther(path: string, value: SettingValue): PlacedSetting | undefined {
  const ofWorlds = Object.values(environments).flatMap(environmentSettings);
  return (
    experimentSettings.find((setting) => setting.path === path) ??
    ofWorlds.find(
      (setting) => setting.path === path && setting.type === 'choice' && setting.choices.includes(String(value)),
    )
  );
}
