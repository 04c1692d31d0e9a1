/** Shorthands for the tables of settings in this folder. Every setting of an arm can change while training unless it says why not. */
import type { BooleanSetting, ChoiceSetting, FileSetting, NumberSetting } from '../setting';

export function integer(setting: Omit<NumberSetting, 'type' | 'scale' | 'step'> & Partial<NumberSetting>) {
  return { scale: 'linear', step: 1, ...setting, type: 'integer' } as const satisfies NumberSetting;
}

export function real(setting: Omit<NumberSetting, 'type' | 'scale' | 'restart'> & { scale?: 'linear' | 'log' }) {
  return { scale: 'linear', ...setting, type: 'number', restart: null } as const satisfies NumberSetting;
}

/** The first choice is the default. `names`: how each choice is called on the screen, in the order of links. */
export function choice<const Names extends Readonly<Record<string, string>>>(
  label: string,
  help: string,
  names: Names,
): Omit<ChoiceSetting, 'choices'> & { readonly choices: readonly (keyof Names & string)[] } {
  const choices = Object.keys(names);
  return { type: 'choice', label, help, default: choices[0] ?? '', choices, names, restart: null };
}

export function flag(label: string, help: string, restart: string | null = null, initial = false) {
  return { type: 'boolean', label, help, default: initial, restart } as const satisfies BooleanSetting;
}

/** A file that the experiment names by its hash. */
export function file(label: string, help: string, restart: string) {
  return { type: 'file', label, help, default: '', restart } as const satisfies FileSetting;
}
