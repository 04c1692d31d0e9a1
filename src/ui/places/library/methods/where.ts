/** Link to a method: the fragment of the address that opens it, and the words. */

import { definitionFor } from '../../../../environments/registry';
import { type Experiment, experimentSettings, findArmSetting } from '../../../../experiment/experiment';
import { packText } from '../../../../experiment/link/packedText';
import { findObjective } from '../../../../experiment/objectives/objectivePresets';
import { findPreset } from '../../../../experiment/presets/presets';
import { environmentSettings } from '../../../../experiment/settings/environmentSettings';
import type { PlacedSetting, SettingValue } from '../../../../experiment/settings/setting';
import type { MetricName } from '../../../../rl/measure/metrics';
import { decisiveCharts } from '../../../model/charts/kinds/decisiveDefinitions';
import { chartOf } from '../../../model/charts/kinds/definitions';
import { fragmentOf, PLACES, type PlaceId } from '../../../model/place';
import type { Where } from './method';

const RECIPES = import.meta.glob<string>('../../../../../docs/recipes/*.loss', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function textOf(recipe: string): string {
  const text = RECIPES[`../../../../../docs/recipes/${recipe}.loss`];
  if (text === undefined) throw new Error(`There is no recipe ${recipe}.`);
  return text;
}

/** Preset in which an arm's setting is shown beside the arm without it. */
const GROUND = 'gridworld-small';

function experimentOf(preset: string): Experiment {
  const found = findPreset(preset);
  if (found === undefined) throw new Error(`There is no preset ${preset}.`);
  return found.experiment;
}

type Field = readonly [key: string, value: SettingValue];

const address = (place: PlaceId, fields: readonly Field[], name = ''): string => {
  const experiment = fields.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return fragmentOf({ place, name, experiment: experiment === '' ? '' : `#${experiment}` }) || '#lab';
};

/** Fields of the preset's first arm, and beside it the same with these. */
function besideFirst(preset: string, id: string, name: string, fields: readonly Field[]): readonly Field[] {
  const first = experimentOf(preset).arms[0]?.id ?? '';
  const ofArm: readonly Field[] = [['from', first], ['name', name], ...fields];
  return [['arms', `${first},${id}`], ...ofArm.map(([key, value]): Field => [`arms.${id}.${key}`, value])];
}

/** A setting of arms, of the experiment, or of the preset's world. */
function settingOf(path: string, preset: string): PlacedSetting {
  const { environment } = experimentOf(preset);
  const ofWorld = definitionFor(environment.id, environment.settings);
  const known = [...experimentSettings, ...(ofWorld === undefined ? [] : environmentSettings(ofWorld))];
  const found = findArmSetting(path) ?? known.find((setting) => setting.path === path);
  if (found === undefined) throw new Error(`There is no setting ${path} in ${preset}.`);
  return found;
}

/** True for the two curves of the lab; all others are among the training’s. */
const isDecisive = (metric: MetricName): boolean => decisiveCharts.some((definition) => definition.metric === metric);

function fragmentToSetting({ path, value, preset, besides }: Extract<Where, { kind: 'setting' }>): string {
  const fields: readonly Field[] = [...Object.entries(besides), [path, value]];
  const isOfArm = ([key]: Field): boolean => findArmSetting(key) !== undefined;
  const ofArm = fields.filter(isOfArm);
  const arms = ofArm.length === 0 ? [] : besideFirst(preset, 'with-it', settingOf(path, preset).label, ofArm);
  const all: readonly Field[] = [['preset', preset], ...fields.filter((field) => !isOfArm(field)), ...arms];
  return address('settings', all, isOfArm([path, value]) ? `with-it/${path}` : path);
}

/** Fragment with its `#`. */
export function fragmentTo(where: Where): string {
  switch (where.kind) {
    case 'experiment':
      return address('lab', [['preset', experimentOf(where.id).preset]]);
    case 'objective': {
      const { id } = where;
      const arms = besideFirst(GROUND, id, findObjective(id).title, [['objective', id]]);
      return address('settings', [['preset', GROUND], ...arms], `${id}/objective`);
    }
    case 'setting':
      return fragmentToSetting(where);
    case 'chart':
      return address(isDecisive(where.metric) ? 'lab' : 'training', []);
    case 'place':
      return address(where.place, [], where.name);
    case 'recipe': {
      const { name, besides } = where;
      const text: Field = [`loss.${name}.text`, packText(textOf(name))];
      const arms = besideFirst(GROUND, name, name, [...Object.entries(besides), text]);
      return address('settings', [['preset', GROUND], ...arms], `${name}/objective`);
    }
  }
}

export function wordsOf(where: Where): string {
  switch (where.kind) {
    case 'experiment':
      return `experiment “${experimentOf(where.id).title}”`;
    case 'objective':
      return `objective “${findObjective(where.id).title}”`;
    case 'setting': {
      const setting = settingOf(where.path, where.preset);
      const choice = setting.type === 'choice' ? (setting.names?.[String(where.value)] ?? String(where.value)) : '';
      return `setting “${setting.label}${choice === '' ? '' : `: ${choice}`}”`;
    }
    case 'chart':
      return `chart “${chartOf(where.metric).title}”`;
    case 'place':
      return where.part === PLACES[where.place].title ? where.part : `${PLACES[where.place].title}, “${where.part}”`;
    case 'recipe':
      return `loss “${where.name}”`;
  }
}
