/**
 * An experiment's environment as fields of a link: `environment=shop`, `environment.size=5`. The text of a user's world
 * is packed, and its settings, which only that world knows, are read by their form.
 */
import { isOwnModel, MODEL_KEY } from '../../environments/own/own';
import { defaultSettings, findEnvironment } from '../../environments/registry';
import type { Experiment } from '../experiment';
import { isWorldKey, textOf } from '../ownWorld';
import { environmentSettings } from '../settings/environmentSettings';
import type { SettingValue } from '../settings/setting';
import { isNumber, type LinkReader, readNumber, readPacked, readSettingText } from './linkReader';
import { packText, WORLD_TEXT } from './packedText';

/** Fields for the difference from the preset's environment. */
export function environmentFields(base: Experiment, { environment: { id, settings } }: Experiment): [string, string][] {
  const same = id === base.environment.id;
  const usual = same ? base.environment.settings : defaultSettings(id);
  // A setting that is gone cannot be written: the text then begins again, and all others with it.
  const isLess = Object.keys(usual).some((key) => !Object.hasOwn(settings, key));
  const from = isLess || textOf(settings) !== textOf(usual) ? defaultSettings(id) : usual;
  // The model of a world of texts follows from that of the policies.
  const isTold = ([key, value]: [string, unknown]): boolean => key === MODEL_KEY && isOwnModel(value);
  const changed = Object.entries(settings).filter((one) => one[1] !== from[one[0]] && !isTold(one));
  const fields = changed.map(([key, value]): [string, string] => [
    `environment.${key}`,
    isWorldKey(key) ? packText(String(value), WORLD_TEXT) : String(value),
  ]);
  return same ? fields : [['environment', id], ...fields];
}

export function readEnvironment(fields: LinkReader, base: Experiment): Experiment['environment'] {
  const id = fields.take('environment') ?? base.environment.id;
  const definition = findEnvironment(id);
  const further = fields.keysFrom('environment.').filter((key) => definition?.isFurther?.(key.slice(FURTHER)) === true);
  const isAnew = id !== base.environment.id || further.some((key) => isWorldKey(key.slice(FURTHER)));
  const settings = isAnew ? defaultSettings(id) : { ...base.environment.settings };
  for (const key of further) settings[key.slice(FURTHER)] = readFurther(key, fields.take(key) ?? '');
  for (const setting of definition === undefined ? [] : environmentSettings(definition)) {
    const text = fields.take(setting.path);
    if (text !== undefined) settings[setting.key] = readSettingText(setting.path, text, setting);
  }
  return { id, settings };
}

/** Number of characters before the key of a setting of the environment. */
const FURTHER = 'environment.'.length;

/** A setting that only a user's world knows, read by its form: that world judges it. */
function readFurther(key: string, text: string): SettingValue {
  if (isWorldKey(key.slice(FURTHER))) return readPacked(key, text, 'a world', WORLD_TEXT);
  if (text === 'true' || text === 'false') return text === 'true';
  return isNumber(text) ? readNumber(key, text) : text;
}
