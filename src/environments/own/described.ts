/**
 * Description of a world's file: title and settings before anything is made. Nothing that comes out of the sandbox is trusted:
 * everything is checked here, in words for its author.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import { decodingSettings } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';
import { INSTANCES_KEY, instancesSetting, MOST_INSTANCES } from '../instances';
import { MODEL_KEY } from './own';
import { OWN_LIMITS, readObject, readText, refuse } from './reading';
import type { Guest } from './sandbox';

export interface FileDescription {
  readonly title: string;
  readonly summary: string;
  /** True for a world that is read and written as text. */
  readonly isText: boolean;
  readonly settings: readonly EnvironmentSetting[];
  /** Key of the setting that says which instance of the world it is; null without one. */
  readonly instanceKey: string | null;
  /** Fields that say nothing to the lab, each in a sentence. A world with one works, as it did before it was told. */
  readonly strange: readonly string[];
}

/** Title, summary and settings of a file. Throws WorldError. */
export function describeFile(guest: Guest): FileDescription {
  const told = readObject(guest.value('describe', 'null'), 'The default export');
  if (told.creates !== 'function' && told.isGiven === true) refuse('The default export has no create(settings)');
  if (told.creates !== 'function') {
    refuse('The file has no `export default { title, summary, create(settings) { … } }`');
  }
  if (told.text !== undefined && typeof told.text !== 'boolean') refuse('text must be true or false');
  const isText = told.text === true;
  return {
    title: readText(told.title, 'The title', 60),
    summary: readText(told.summary, 'The summary', 240),
    isText,
    ...readSettings(told.settings ?? {}, isText),
    strange: [
      ...(Array.isArray(told.strange) ? told.strange : []).map((field) => strangeField('The file', field, FILE_FIELDS)),
      ...strangeSettings(told.settings),
    ],
  };
}

const FILE_FIELDS = ['text', 'title', 'summary', 'settings', 'create'];
const SETTING_FIELDS = ['default', 'min', 'max', 'choices', 'label', 'help', 'instance'];

const strangeField = (of: string, field: unknown, known: readonly string[]): string =>
  `${of} has “${excerpt(String(field), 30)}”, which means nothing here: there are ${known.join(', ')}.`;

function strangeSettings(told: unknown): string[] {
  return Object.entries((told ?? {}) as Json).flatMap(([key, value]) => {
    const fields = isJson(value) ? Object.keys(value) : [];
    const strange = fields.filter((field) => !SETTING_FIELDS.includes(field)).slice(0, MOST_STRANGE);
    return strange.map((field) => {
      const whole = field === 'integer' ? ' A number is whole where its default, min and max are.' : '';
      return strangeField(`settings.${key}`, field, SETTING_FIELDS) + whole;
    });
  });
}

/** Strange fields of a setting that are told, at most. */
const MOST_STRANGE = 4;

const KEY = /^[a-z][A-Za-z0-9]{0,23}$/;
const RESERVED = ['world', INSTANCES_KEY, ...decodingSettings.map(({ key }) => key)];

function readSettings(told: unknown, isText: boolean): Pick<FileDescription, 'settings' | 'instanceKey'> {
  if (!isJson(told)) return refuse('settings is no object');
  const entries = Object.entries(told);
  if (entries.length > OWN_LIMITS.settings) refuse(`There are more than ${OWN_LIMITS.settings} settings`);
  const settings = entries.map(([key, value]) => {
    const isReserved = RESERVED.includes(key) || (isText && key === MODEL_KEY);
    if (!KEY.test(key) || isReserved) refuse(`A setting cannot be called “${excerpt(key, 30)}”`);
    return readSetting(key, isJson(value) ? value : { default: value });
  });
  const [instance, another] = settings.filter(
    ({ key }) => (told as Readonly<Record<string, Json>>)[key]?.instance === true,
  );
  if (another !== undefined)
    refuse(`Of settings.${instance?.key} and settings.${another.key} only one can be the instance`);
  // A text is never malformed.
  const decoding = isText ? [] : decodingSettings;
  if (instance === undefined) return { settings: [...settings, ...decoding], instanceKey: null };
  if (instance.type !== 'integer' || instance.min !== 0 || instance.max !== MOST_INSTANCES - 1) {
    refuse(`settings.${instance.key}, as the instance, needs min: 0 and max: ${MOST_INSTANCES - 1}`);
  }
  const shared = instancesSetting(instance.label.toLowerCase());
  return { settings: [...settings, shared, ...decoding], instanceKey: instance.key };
}

function readSetting(key: string, told: Json): EnvironmentSetting {
  const { default: initial, min, max, choices } = told;
  const spaced = key.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  const described = {
    key,
    label: readText(told.label ?? spaced[0]?.toUpperCase() + spaced.slice(1), `settings.${key}.label`, 40),
    help: readText(told.help ?? 'A setting of this world.', `settings.${key}.help`, 240),
  };
  if (typeof initial === 'boolean') return { ...described, type: 'boolean', default: initial };
  if (Array.isArray(choices)) {
    if (choices.length > OWN_LIMITS.choices) refuse(`settings.${key} has more than ${OWN_LIMITS.choices} choices`);
    const names = choices.map((choice) => readText(choice, `A choice of settings.${key}`, 40));
    if (typeof initial !== 'string' || !names.includes(initial))
      refuse(`settings.${key}.default is none of its choices`);
    return { ...described, type: 'choice', default: initial as string, choices: names };
  }
  const numbers = [initial, min, max];
  if (!numbers.every((one): one is number => typeof one === 'number' && Number.isFinite(one))) {
    return refuse(`settings.${key} needs numbers as default, min and max, or choices, or true or false as default`);
  }
  const [usual = 0, low = 0, high = 0] = numbers;
  if (!(low <= usual && usual <= high)) refuse(`settings.${key}.default does not lie between min and max`);
  const type = numbers.every(Number.isInteger) ? 'integer' : 'number';
  return { ...described, type, default: usual, min: low, max: high };
}

/** All settings with their values: those given, and the defaults of the others. Throws LabError. */
export function completeSettings(
  { title, settings }: FileDescription,
  given: EnvironmentSettings,
): Record<string, number | boolean | string> {
  const wrong = (what: string, advice: string): never => {
    throw new LabError('invalid-experiment', what, advice);
  };
  const unknown = Object.keys(given).find((key) => settings.every((setting) => setting.key !== key));
  if (unknown !== undefined) {
    const known = settings.map(({ key }) => key).join(', ');
    wrong(`The world “${title}” has no setting ${excerpt(unknown, 30)}.`, `There are: ${known}.`);
  }
  return Object.fromEntries(
    settings.map(({ key, type, default: initial, min = 0, max = 0, choices = [] }) => {
      const value = Object.hasOwn(given, key) ? given[key] : initial;
      const limits = `Set it to a value from ${min} to ${max}.`;
      if (type === 'boolean' && typeof value !== 'boolean') wrong(`${key} must be true or false.`, 'Set it so.');
      if (type === 'choice') {
        if (!choices.includes(String(value))) {
          wrong(`${key} cannot be ${excerpt(String(value), 40)}.`, `Choose one of: ${choices.join(', ')}.`);
        }
        return [key, String(value)];
      }
      if (type === 'integer' && !Number.isInteger(value)) wrong(`${key} must be a whole number.`, limits);
      const isOut = typeof value !== 'number' || !(value >= min && value <= max);
      if (type !== 'boolean' && isOut) wrong(`${key} cannot be ${excerpt(String(value), 40)}.`, limits);
      return [key, value as number | boolean];
    }),
  );
}
