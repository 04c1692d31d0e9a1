/**
 * Settings, and shorthands to declare one. One declaration gives a setting's validation, type, default, control on the
 * page, help, key in links (its place in the table), and when it matters. A hyperparameter is a setting that the
 * kernels read: columns.ts gives each a column.
 */

import type { Notation } from '../foundation/notation';

interface Described {
  readonly label: string;
  /** One sentence on its effect, for a person who has not met the setting. */
  readonly help: string;
  /** Reason why a change needs a new population, for the person; null if it can act while training. */
  readonly restart: string | null;
  /** Condition on the arm's other settings under which it has an effect; left out: always. */
  readonly when?: Condition;
}

export interface NumberSetting extends Described {
  readonly type: 'integer' | 'number';
  readonly default: number;
  /** Hard limits: beyond them an experiment is invalid. */
  readonly min: number;
  readonly max: number;
  /** The slider's range; a typed value may leave it. */
  readonly soft: readonly [low: number, high: number];
  readonly scale: 'linear' | 'log';
  /** The slider's step on a linear scale; on a log scale the factor between steps. */
  readonly step: number;
}

export interface BooleanSetting extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

export interface ChoiceSetting<Choice extends string = string> extends Described {
  readonly type: 'choice';
  readonly default: string;
  /** Ids, as written in links: letters, digits and hyphens. Kernels know a choice by its place in this list. */
  readonly choices: readonly Choice[];
  /** Names of the choices on the screen; one left out has its id as its name. */
  readonly names?: Readonly<Record<string, string>>;
  /** True where the SHA-256 of a model that is opened by hand is a choice, too. */
  readonly orHash?: boolean;
  readonly formulas?: Readonly<Record<string, ChoiceText['formula']>>;
  readonly remarks?: Readonly<Record<string, string>>;
}

/** A choice as the page shows it. */
interface ChoiceText {
  readonly name: string;
  /** Notation of the choice with the arm's numbers put in. `over`: the set of a sum or mean, in words. */
  readonly formula?: (read: ReadSetting, over: string) => Notation | null;
  /** Remark beneath the formula: its effect in words. */
  readonly remark?: string;
}

/** File outside of the experiment. Its value is the SHA-256 of the bytes, in lower-case hexadecimal; '' is none. */
export interface FileSetting extends Described {
  readonly type: 'file';
  readonly default: '';
}

export type Setting = NumberSetting | BooleanSetting | ChoiceSetting | FileSetting;

/** A table of settings: its shape is the shape of the validated value. */
export interface SettingTable {
  readonly [key: string]: Setting | SettingTable;
}

/** Value that a setting or a table of settings describes. */
export type ValueOf<S> = S extends { readonly type: 'integer' | 'number' }
  ? number
  : S extends { readonly type: 'choice'; readonly orHash: true }
    ? string
    : S extends { readonly type: 'choice'; readonly choices: readonly (infer Choice)[] }
      ? Choice
      : S extends { readonly type: 'boolean' }
        ? boolean
        : S extends { readonly type: 'file' }
          ? string
          : { -readonly [K in keyof S]: ValueOf<S[K]> };

/** Value of an arm at a setting. */
export type ReadSetting = <S extends Setting>(setting: S) => ValueOf<S>;

/** A statement on an arm, such as “its surrogate is one of these”. */
export type Condition = (read: ReadSetting) => boolean;

export const isOneOf =
  <Choice extends string>(setting: ChoiceSetting<Choice>, ...choices: readonly NoInfer<Choice>[]): Condition =>
  (read) =>
    (choices as readonly string[]).includes(read(setting));
export const isAbove =
  (setting: NumberSetting, limit = 0): Condition =>
  (read) =>
    read(setting) > limit;
export const isBelow =
  (setting: NumberSetting, limit: number): Condition =>
  (read) =>
    read(setting) < limit;
export const not =
  (condition: Condition): Condition =>
  (read) =>
    !condition(read);
export const never: Condition = () => false;
export const both =
  (...conditions: readonly Condition[]): Condition =>
  (read) =>
    conditions.every((condition) => condition(read));
export const either =
  (...conditions: readonly Condition[]): Condition =>
  (read) =>
    conditions.some((condition) => condition(read));

type Given<S extends Setting, Defaulted extends keyof S> = Omit<S, 'type' | Defaulted> & Partial<Pick<S, Defaulted>>;

export function integer(setting: Given<NumberSetting, 'scale' | 'step' | 'restart'>) {
  return { scale: 'linear', step: 1, restart: null, ...setting, type: 'integer' } as const satisfies NumberSetting;
}

export function real(setting: Given<NumberSetting, 'scale' | 'restart'>) {
  return { scale: 'linear', restart: null, ...setting, type: 'number' } as const satisfies NumberSetting;
}

/** Choice, its first the default. A new one goes to the end: kernels know the others by their places. */
export function choice<const Texts extends Readonly<Record<string, string | ChoiceText>>>(
  label: string,
  help: string,
  texts: Texts,
  more: Partial<Pick<Described, 'when' | 'restart'>> = {},
): ChoiceSetting<keyof Texts & string> {
  const choices = Object.keys(texts);
  const entries = Object.entries(texts).map(
    ([id, text]) => [id, typeof text === 'string' ? { name: text } : text] as const,
  );
  const names = Object.fromEntries(entries.map(([id, text]) => [id, text.name]));
  const formulas = Object.fromEntries(entries.map(([id, text]) => [id, text.formula]));
  const remarks = Object.fromEntries(
    entries.flatMap(([id, { remark }]) => (remark === undefined ? [] : [[id, remark]])),
  );
  const [initial = ''] = choices;
  return { type: 'choice', label, help, default: initial, choices, names, formulas, remarks, restart: null, ...more };
}

export function flag(label: string, help: string, more: Partial<Omit<BooleanSetting, 'type' | 'label' | 'help'>> = {}) {
  return { type: 'boolean', label, help, default: false, restart: null, ...more } as const satisfies BooleanSetting;
}

/** File that the experiment names by its hash. */
export function file(label: string, help: string, restart: string) {
  return { type: 'file', label, help, default: '', restart } as const satisfies FileSetting;
}

/** Setting that only the trainer reads: no kernel does, so it has no column. */
export function onHost<S extends Setting>(setting: S): S & { readonly host: true } {
  return { ...setting, host: true };
}
