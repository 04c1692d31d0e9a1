/**
 * Derived from a setting's declaration (hyperparameters/setting.ts): its validation, its type, and its path in a table,
 * which is its key in links.
 */
import * as v from 'valibot';
import type {
  BooleanSetting,
  ChoiceSetting,
  FileSetting,
  NumberSetting,
  Setting,
  SettingTable,
  ValueOf,
} from '../../hyperparameters/setting';

import { currentHash } from '../shippedPolicies';

export type { BooleanSetting, ChoiceSetting, FileSetting, NumberSetting, Setting, ValueOf };

export type SettingValue = number | boolean | string;

export function isNumberSetting<S extends Setting>(setting: S): setting is S & NumberSetting {
  return setting.type === 'integer' || setting.type === 'number';
}

/** A setting with its path: `policy.width`, `ce.observation`. The path is also its key in links. */
export type PlacedSetting<S extends Setting = Setting> = S & { readonly path: string };

function isSetting(entry: Setting | SettingTable): entry is Setting {
  return typeof entry.type === 'string';
}

/** All paths of a table, as a union of strings. */
export type PathOf<T extends SettingTable> = {
  [K in keyof T & string]: T[K] extends Setting ? K : T[K] extends SettingTable ? `${K}.${PathOf<T[K]>}` : never;
}[keyof T & string];

/** The type at a path of a value. */
export type ValueAt<T, P extends string> = P extends keyof T
  ? T[P]
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? ValueAt<T[K], Rest>
      : never
    : never;

/** The settings of a table in order, each with its path. */
export function placeSettings(table: SettingTable, prefix = ''): PlacedSetting[] {
  return Object.entries(table).flatMap(([key, entry]) =>
    isSetting(entry) ? [{ ...entry, path: prefix + key }] : placeSettings(entry, `${prefix}${key}.`),
  );
}

/** −0 and 0 are the same setting, and only 0 survives a link. */
const withoutNegativeZero = v.transform((value: number) => (value === 0 ? 0 : value));

const numberSchema = (setting: NumberSetting) =>
  v.optional(
    v.pipe(
      v.number(`${setting.label} must be a number.`),
      v.check(
        (value) => setting.type === 'number' || Number.isInteger(value),
        `${setting.label} must be a whole number.`,
      ),
      v.check(
        (value) => value >= setting.min && value <= setting.max,
        ({ input }) => `${setting.label} must lie between ${setting.min} and ${setting.max}, not at ${input}.`,
      ),
      withoutNegativeZero,
    ),
    setting.default,
  );

const HASH = /^[0-9a-f]{64}$/;

/** True for one of a setting's choices. */
export const isChoice = ({ choices, orHash = false }: ChoiceSetting, value: string): boolean =>
  choices.includes(value) || (orHash && HASH.test(value));

const choiceSchema = (setting: ChoiceSetting) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((value) => isChoice(setting, value), `${setting.label} must be one of: ${setting.choices.join(', ')}.`),
    ),
    setting.default,
  );

const booleanSchema = (setting: BooleanSetting) =>
  v.optional(v.boolean(`${setting.label} must be true or false.`), setting.default);

const SHA256 = /^([0-9a-f]{64})?$/;

const fileSchema = (setting: FileSetting) =>
  v.optional(
    v.pipe(
      v.string(`${setting.label} must be text.`),
      v.regex(SHA256, `${setting.label} must be 64 digits 0 to f.`),
      v.transform(currentHash),
    ),
    setting.default,
  );

/** One schema for each entry of a table; an entry left out takes its default. */
export type TableEntries<T> = { -readonly [K in keyof T]: v.GenericSchema<unknown, ValueOf<T[K]>> };

/** The schema of one setting; left out, it takes its default. */
export function settingSchema(setting: Setting): v.GenericSchema<unknown, SettingValue> {
  if (setting.type === 'choice') return choiceSchema(setting) as v.GenericSchema<unknown, string>;
  if (setting.type === 'boolean') return booleanSchema(setting) as v.GenericSchema<unknown, boolean>;
  if (setting.type === 'file') return fileSchema(setting) as v.GenericSchema<unknown, string>;
  return numberSchema(setting) as v.GenericSchema<unknown, number>;
}

function entrySchema(entry: Setting | SettingTable): v.GenericSchema<unknown, unknown> {
  if (isSetting(entry)) return settingSchema(entry);
  const entries = Object.entries(entry).map(([key, inner]) => [key, entrySchema(inner)] as const);
  return v.optional(v.strictObject(Object.fromEntries(entries)), {}) as v.GenericSchema<unknown, unknown>;
}

/** The schemas of a table's entries, for an object schema that may have entries of its own beside them. */
export function tableEntries<T extends SettingTable>(table: T): TableEntries<T> {
  const entries = Object.entries(table).map(([key, entry]) => [key, entrySchema(entry)]);
  return Object.fromEntries(entries) as TableEntries<T>;
}

/** The number, flag or text at a path of a value that has the table's shape; undefined if there is none. */
export function readSetting(value: object, path: string): SettingValue | undefined {
  let place: unknown = value;
  for (const key of path.split('.')) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Record<string, unknown>)[key];
  }
  return typeof place === 'object' ? undefined : (place as SettingValue | undefined);
}

/** A copy with the value at a path replaced, the rest shared. Throws RangeError if there is no such path. */
export function writeSetting<T extends object>(value: T, path: string, to: SettingValue): T {
  const [key = '', ...rest] = path.split('.');
  if (!Object.hasOwn(value, key)) throw new RangeError(`There is no setting ${path}.`);
  const inner = (value as Record<string, unknown>)[key];
  const next = rest.length === 0 ? to : writeSetting(inner as object, rest.join('.'), to);
  return { ...value, [key]: next };
}
