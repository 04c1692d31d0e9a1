import { excerpt, LabError } from '../../foundation/errors';
import { fitsPart, LOSS_PLACES, type LossPath, lossParts, lossPath, NOWHERE, valuesOfText } from '../arm/ownLosses';
import {
  type Arm,
  armSettings,
  type Change,
  defaultArm,
  type Experiment,
  experimentSettings,
  withArmPart,
} from '../experiment';
import { isEventful, type MachineEntry, readMachines, writeMachines } from '../machines';
import { findObjective, withObjective } from '../objectives/objectivePresets';
import { parseExperiment } from '../parse';
import { defaultPreset, findPreset, firstPreset, presetsLike } from '../presets/presets';
import { type PlacedSetting, readSetting, type SettingValue, writeSetting } from '../settings/setting';
import { ARM_TABLE, LIMITS } from '../settings/tables';
import { type ChallengeStep, readChallenge } from './challenge';
import { type Hideable, readHidden } from './hidden';
import { environmentFields, readEnvironment } from './linkEnvironment';
import { LinkReader, readNumber, readPacked, readSettingText, refuse } from './linkReader';
import { packText } from './packedText';

const VERSION = '1';

/** Contents of a link. */
export interface Linked {
  readonly experiment: Experiment;
  /** Machines that a run of it ran on; empty if the link names none. */
  readonly machines: readonly MachineEntry[];
  /** Result of a run, encoded as in result.ts; null if the link has none. */
  readonly result: string | null;
  /** Parts of the page that are hidden from the receiver at first. */
  readonly hidden: readonly Hideable[];
  /** Steps of a challenge, to be met in a run of it; none if the link has none. */
  readonly challenge: readonly ChallengeStep[];
  /** Axes of a sweep of the experiment, as grid/axes.ts writes them, not yet read; null if the link has none. */
  readonly sweep: string | null;
}

/** Fragment of a preset, without `#`. */
export const presetLink = (id: string): string => `preset=${id}`;

/**
 * The fragment, without `#`, that `decodeLink` turns back into the same experiment. It carries `machines`
 * (`ran=0:webgpu;37:cpu`) only if the backend or the plan changed during the run.
 */
export function encodeLink(experiment: Experiment, machines: readonly MachineEntry[] = []): string {
  const preset = findPreset(experiment.preset);
  if (preset === undefined) {
    throw new LabError(
      'invalid-experiment',
      `There is no preset ${experiment.preset} to write the link from.`,
      `Base the experiment on a preset that there is, such as ${presetsLike(experiment.preset).join(', ')}.`,
    );
  }
  const base = preset.experiment;
  const fields: [key: string, value: string][] = [];
  if (experiment.title !== base.title) fields.push(['title', experiment.title]);
  fields.push(...differences(experimentSettings, base, experiment));
  fields.push(...environmentFields(base, experiment));
  fields.push(...armFields(base, experiment));
  const changes = writeChanges(experiment.timeline);
  if (changes !== writeChanges(base.timeline)) fields.push(['changes', changes]);
  if (isEventful(machines)) fields.push(['ran', writeMachines(machines)]);
  return [presetLink(experiment.preset), ...fields.map(([key, value]) => `${key}=${escapeValue(value)}`)].join('&');
}

/** The experiment of a fragment, with or without its `#`; an empty fragment is the default preset. */
export function decodeLink(fragment: string): Experiment {
  return decodeRunLink(fragment).experiment;
}

/** All contents of a fragment. Throws LabError. */
export function decodeRunLink(fragment: string): Linked {
  const fields = new LinkReader(fragment);
  const version = fields.take('v') ?? VERSION;
  if (version !== VERSION) {
    throw new LabError(
      'invalid-link',
      `This link is of version ${excerpt(version, 20)}; this lab reads version ${VERSION}.`,
      'Open it in a newer lab, or ask for the experiment as a file.',
    );
  }
  const name = fields.take('preset') ?? (fields.isEmpty ? defaultPreset.id : firstPreset.id);
  const base = findPreset(name)?.experiment;
  if (base === undefined) {
    const advice = `Those with names like it are ${presetsLike(name).join(', ')}; all are in the Library.`;
    throw new LabError('invalid-link', `There is no preset “${excerpt(name)}”.`, advice);
  }
  const experiment = {
    ...readFields(fields, experimentSettings, base),
    title: fields.take('title') ?? base.title,
    environment: readEnvironment(fields, base),
    arms: readArms(fields, base),
    timeline: readChanges(fields, base),
  };
  const ran = fields.take('ran');
  const result = fields.take('result') ?? null;
  const hide = fields.take('hide');
  const challenge = fields.take('challenge');
  const sweep = fields.take('sweep') ?? null;
  fields.refuseTheRest();
  return {
    experiment: parseExperiment(experiment),
    machines: ran === undefined ? [] : readMachines(ran),
    result,
    hidden: hide === undefined ? [] : readHidden(hide),
    challenge: challenge === undefined ? [] : readChallenge(challenge, experiment),
    sweep,
  };
}

function differences(settings: readonly PlacedSetting[], base: object, value: object, prefix = ''): [string, string][] {
  return settings
    .filter(({ path }) => readSetting(value, path) !== readSetting(base, path))
    .map(({ path }) => [prefix + path, String(readSetting(value, path))]);
}

function readFields<T extends object>(fields: LinkReader, settings: readonly PlacedSetting[], base: T, prefix = ''): T {
  return settings.reduce((value, setting) => {
    const key = prefix + setting.path;
    const text = fields.take(key);
    return text === undefined ? value : writeSetting(value, setting.path, readSettingText(key, text, setting));
  }, base);
}

function armFields(base: Experiment, { arms }: Experiment): [string, string][] {
  const ids = writeIds(arms);
  const fields: [string, string][] = ids === writeIds(base.arms) ? [] : [['arms', ids]];
  for (const arm of arms) {
    const sameArm = base.arms.find(({ id }) => id === arm.id);
    const { from, changed } =
      sameArm === undefined ? nearestArm(base, arm) : { from: null, changed: armDifferences(sameArm, arm) };
    if (from !== null) fields.push([`arms.${arm.id}.from`, from]);
    fields.push(...changed);
  }
  return fields;
}

function writeIds(arms: readonly Arm[]): string {
  return arms.map(({ id }) => id).join(',');
}

function armDifferences(base: Arm, arm: Arm): [string, string][] {
  const name: [string, string][] = arm.name === base.name ? [] : [[`arms.${arm.id}.name`, arm.name]];
  const prefix = `arms.${arm.id}.`;
  const losses = lossDifferences(base, arm, prefix);
  if (arm.objective === base.objective) return [...name, ...differences(armSettings, base, arm, prefix), ...losses];
  const from = withObjective(base, findObjective(arm.objective));
  return [...name, [`${prefix}objective`, arm.objective], ...differences(armSettings, from, arm, prefix), ...losses];
}

/** A loss that the base lacks is written whole but for what is usual; one that is gone has an empty text. */
function lossDifferences(base: Arm, arm: Arm, prefix: string): [string, string][] {
  const gone = base.losses.filter(({ name }) => arm.losses.every((loss) => loss.name !== name));
  const changed = arm.losses.flatMap((loss) => {
    const before = base.losses.find(({ name }) => name === loss.name);
    const usual = before ?? { ...loss, text: '', place: 'policy', on: NOWHERE, values: {} };
    const known = new Map(lossParts(usual));
    // A value that the base sets and this loss leaves to its text is written, since the link begins from the base.
    const left = Object.keys(usual.values).filter((name) => !Object.hasOwn(loss.values, name));
    const usualValues = left.length === 0 ? {} : valuesOfText(loss.text, left);
    const parts = lossParts({ ...loss, values: { ...loss.values, ...usualValues } });
    return parts.filter(([path, value]) => known.get(path) !== value);
  });
  return [
    ...gone.map(({ name }): [string, string] => [`${prefix}loss.${name}.text`, packText('')]),
    ...changed.map(([path, value]): [string, string] => [prefix + path, writePart(path, value)]),
  ];
}

const writePart = (path: string, value: SettingValue): string =>
  lossPath(path)?.part.kind === 'text' ? packText(String(value)) : String(value);

/** The preset's arm from which a new arm differs least, and the differences; null if the defaults are as near. */
function nearestArm(base: Experiment, arm: Arm): { from: string | null; changed: [string, string][] } {
  let nearest: { from: string | null; changed: [string, string][] } = {
    from: null,
    changed: armDifferences(newArm(arm.id), arm),
  };
  for (const candidate of base.arms) {
    const changed = armDifferences(candidate, arm);
    if (changed.length < nearest.changed.length) nearest = { from: candidate.id, changed };
  }
  return nearest;
}

function newArm(id: string): Arm {
  return { ...defaultArm('new', 'New'), id, name: id };
}

function readArms(fields: LinkReader, base: Experiment): Arm[] {
  const ids = fields.take('arms')?.split(',', LIMITS.arms + 1) ?? base.arms.map(({ id }) => id);
  // Before anything is made of them: a link has room for thousands.
  if (ids.length > LIMITS.arms) {
    return refuse('arms', `names more than ${LIMITS.arms} arms`, 'Name fewer: so many are trained together at most.');
  }
  return [...new Set(ids)].length === ids.length
    ? ids.map((id) => readArm(fields, base, id))
    : refuse('arms', 'names an arm twice', 'Give each arm its own id.');
}

function readArm(fields: LinkReader, base: Experiment, id: string): Arm {
  const key = `arms.${id}.from`;
  const from = fields.take(key);
  const source = base.arms.find((arm) => arm.id === (from ?? id));
  if (from !== undefined && source === undefined) {
    return refuse(key, `names “${excerpt(from)}”, no arm of the preset`, `Choose one of: ${writeIds(base.arms)}.`);
  }
  const arm = readObjective(fields, source === undefined ? newArm(id) : { ...source, id });
  const named = { ...arm, name: fields.take(`arms.${id}.name`) ?? arm.name };
  return readLosses(fields, readFields(fields, armSettings, named, `arms.${id}.`));
}

/** Texts first: they make the losses that the other parts are of. Parts of no loss stay, and are refused. */
function readLosses(fields: LinkReader, arm: Arm): Arm {
  const prefix = `arms.${arm.id}.`;
  const keys = fields.keysFrom(`${prefix}loss.`);
  const isText = (key: string): boolean => key.endsWith('.text');
  return [...keys.filter(isText), ...keys.filter((key) => !isText(key))].reduce((changed, key) => {
    const path = key.slice(prefix.length);
    const of = lossPath(path);
    if (of === null || (of.part.kind !== 'text' && changed.losses.every(({ name }) => name !== of.name)))
      return changed;
    return withArmPart(changed, path, readPart(key, of, fields.take(key) ?? ''));
  }, arm);
}

/** The value of a part of a loss, of the part's kind. */
function readPart(key: string, of: LossPath, text: string): SettingValue {
  if (of.part.kind === 'place') {
    if (fitsPart(of, text)) return text;
    return refuse(key, `cannot be “${text.slice(0, 40)}”`, `Write one of: ${LOSS_PLACES.join(', ')}.`);
  }
  if (of.part.kind !== 'text') return readNumber(key, text);
  return readPacked(key, text, 'a formula');
}

/** An objective brings all of its settings; the link's other fields say what differs from them. */
function readObjective(fields: LinkReader, arm: Arm): Arm {
  const key = `arms.${arm.id}.objective`;
  const text = fields.take(key);
  if (text === undefined) return arm;
  const objective = findObjective(String(readSettingText(key, text, ARM_TABLE.objective)));
  return objective === undefined ? arm : withObjective(arm, objective);
}

function writeChanges(timeline: readonly Change[]): string {
  return timeline
    .map(({ update, arm, setting, value }) => `${update}:${arm}:${setting}:${writePart(setting, value)}`)
    .join(';');
}

function readChanges(fields: LinkReader, base: Experiment): Change[] {
  const text = fields.take('changes');
  if (text === undefined) return base.timeline;
  if (text === '') return [];
  const entries = text.split(';', LIMITS.changes + 1);
  if (entries.length > LIMITS.changes) {
    return refuse(
      'changes',
      `has more than ${LIMITS.changes} entries`,
      'Remove some: a timeline has room for no more.',
    );
  }
  return entries.map((entry) => {
    const [update, arm, setting, value, ...more] = entry.split(':');
    if (update === undefined || arm === undefined || setting === undefined || value === undefined || more.length > 0) {
      const advice = 'Each change is update:arm:setting:value, and semicolons part them.';
      return refuse('changes', `cannot read “${excerpt(entry)}”`, advice);
    }
    return { update: readNumber('changes', update), arm, setting, value: readChanged(setting, value) };
  });
}

/** Value of a change, read by its setting's type. An unknown setting stays text: parse.ts refuses it by name. */
function readChanged(path: string, text: string): SettingValue {
  const ofLoss = lossPath(path);
  if (ofLoss !== null) return readPart('changes', ofLoss, text);
  const setting = armSettings.find((candidate) => candidate.path === path);
  return setting === undefined ? text : readSettingText('changes', text, setting);
}

/** Percent-encoding that keeps colons, semicolons and commas readable. */
function escapeValue(value: string): string {
  return encodeURIComponent(value).replace(/%(3A|3B|2C)/g, (escaped) => decodeURIComponent(escaped));
}
