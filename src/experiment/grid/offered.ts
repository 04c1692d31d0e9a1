/** Settings that a grid is offered over, what they are called, and values worth trying. */
import { definitionFor } from '../../environments/registry';
import { type Experiment, experimentSettings, findArmSetting } from '../experiment';
import { environmentSettings } from '../settings/environmentSettings';
import { type PlacedSetting, readSetting } from '../settings/setting';
import { EVERY_ARM } from '../timeline';

/** Settings that all arms share, as an experiment has them: of policy, batch, warm start and world. */
export function sharedSettings({ environment: { id, settings } }: Experiment): PlacedSetting[] {
  const definition = definitionFor(id, settings);
  const shared = experimentSettings.filter(({ path }) => path !== 'seeds');
  return [...shared, ...(definition === undefined ? [] : environmentSettings(definition))];
}

/** Name of a setting by its key, with the arm whose it is; the key itself where nobody has another. */
export function labelOf(experiment: Experiment, key: string): string {
  const [, id, path = key] = /^arms\.([^.]+)\.(.+)$/.exec(key) ?? [];
  const label =
    sharedSettings(experiment).find((setting) => setting.path === key)?.label ?? findArmSetting(path)?.label;
  if (label === undefined) return key;
  if (id === undefined) return label;
  return `${label} of ${id === EVERY_ARM ? 'all arms' : (experiment.arms.find((arm) => arm.id === id)?.name ?? id)}`;
}

const FACTORS = [0.5, 1, 2] as const;

/** Values worth trying: half, once and twice a number, on its steps; all choices; off and on. */
export function valuesAround(experiment: Experiment, setting: PlacedSetting): string[] {
  if (setting.type === 'choice') return [...setting.choices];
  if (setting.type === 'boolean') return ['false', 'true'];
  if (setting.type === 'file') return [];
  const present = Number(ownValue(experiment, setting.path));
  const step = setting.type === 'integer' ? 1 : 0;
  const values = present === 0 ? [...setting.soft] : FACTORS.map((factor) => present * factor);
  const rounded = values.map((value) => (step === 1 ? Math.round(value) : Number(value.toPrecision(3))));
  return [...new Set(rounded)].filter((value) => value >= setting.min && value <= setting.max).map(String);
}

/** Value of a shared setting in an experiment; undefined where it has none. */
export const ownValue = (experiment: Experiment, path: string) => readSetting(experiment, toPath(path));

/** A world's settings lie one level deeper in the experiment than in a link. */
const toPath = (path: string): string => path.replace(/^environment\./, 'environment.settings.');
