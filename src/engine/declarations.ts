/**
 * The package's types that code makes of tables, printed: without this an editor would show a schema. scripts/engine.mjs puts them in
 * the place of the declarations that the compiler writes; the tests compare the two.
 */
import { ARM_TABLE, EXPERIMENT_TABLE } from '../experiment/settings/tables';
import type { Setting, SettingTable } from '../hyperparameters/setting';
import { METRICS } from '../rl/measure/metrics';
import { WARM_START_METRICS } from '../rl/measure/warmStartReadings';

const union = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' | ');

const isSetting = (entry: Setting | SettingTable): entry is Setting => typeof entry.type === 'string';

function typeOf(setting: Setting): string {
  if (setting.type === 'boolean') return 'boolean';
  if (setting.type === 'choice') return setting.orHash === true ? 'string' : union(setting.choices);
  return setting.type === 'file' ? 'string' : 'number';
}

function comment({ label, help, default: usual, ...setting }: Setting): string {
  const range = 'min' in setting ? `, ${setting.min} to ${setting.max}` : '';
  return `/** ${label}. ${help} Default ${usual === '' ? 'none' : usual}${range}. */`;
}

/** Fields of an object type, one a line, each with its comment. */
const fields = (table: SettingTable, indent = '    '): string =>
  Object.entries(table)
    .map(([key, entry]) =>
      isSetting(entry)
        ? `${indent}${comment(entry)}\n${indent}${key}: ${typeOf(entry)};\n`
        : `${indent}${key}: {\n${fields(entry, `${indent}    `)}${indent}};\n`,
    )
    .join('');

/** Declarations by name. */
export const PRINTED: Readonly<Record<string, string>> = {
  MetricName: `/** Names of curves (docs/results.md). */\nexport type MetricName = ${union(METRICS)};`,
  WarmStartMetric: `export type WarmStartMetric = ${union(WARM_START_METRICS)};`,
  Change: `/** A change under way: it acts before this update, counted from 0, begins. */
export interface Change {
    update: number;
    /** An arm’s id, or \`*\` for all arms. */
    arm: string;
    /** A path such as \`ce.observation\`. */
    setting: string;
    value: number | string | boolean;
}`,
  Arm: `/** One way to train, beside others. */
export interface Arm {
    /** Lower-case letters, digits and hyphens. */
    id: string;
    name: string;
${fields(ARM_TABLE)}    /** Losses of its own, as formulas. */
    losses: {
        name: string;
        text: string;
        place: 'policy' | 'predict' | 'added';
        on: { prompt: number; action: number; observation: number; warning: number; thought: number };
        values: { [parameter: string]: number };
    }[];
}`,
  Experiment: `/** Everything that decides a run’s numbers, as one value. */
export interface Experiment {
    version: 1;
    /** The preset it was made from. */
    preset: string;
    title: string;
${fields(EXPERIMENT_TABLE)}    environment: { id: string; settings: { [key: string]: number | string | boolean } };
    arms: Arm[];
    timeline: Change[];
}`,
};
