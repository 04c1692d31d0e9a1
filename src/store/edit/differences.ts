/**
 * Edits since a run began, as a list for the user and for the trainer: which settings differ, from what to what, and
 * whether each can change while training or needs a restart.
 */
import { definitionFor } from '../../environments/registry';
import { formulaOf, lossParts, type OwnLoss, parameterValues, withLossPart } from '../../experiment/arm/ownLosses';
import { labelOfLossPart } from '../../experiment/arm/ownLossSettings';
import { type Arm, armSettings, type Change, type Experiment, experimentSettings } from '../../experiment/experiment';
import { findObjective, withObjectiveLive } from '../../experiment/objectives/objectivePresets';
import { textOf } from '../../experiment/ownWorld';
import { environmentSettings } from '../../experiment/settings/environmentSettings';
import { type PlacedSetting, readSetting, type SettingValue } from '../../experiment/settings/setting';
import { EVERY_ARM } from '../../experiment/timeline';

export interface SettingDifference {
  /** The arm it concerns; null for the experiment's own settings. */
  readonly arm: string | null;
  readonly path: string;
  readonly label: string;
  readonly from: SettingValue;
  readonly to: SettingValue;
  /** Reason for a restart; null if it can change while training. */
  readonly restart: string | null;
}

const ARMS_RESTART = 'All arms start together from the same weights, so training starts again.';

/** Differences of the controls (`to`) from the present run, with its live changes applied (`from`). */
export function differencesOf(from: Experiment, to: Experiment): SettingDifference[] {
  return [
    ...differing(experimentSettings, from, to, null),
    ...environmentDifferences(from, to),
    ...armListDifferences(from, to),
    ...to.arms.flatMap((arm) => {
      const before = from.arms.find(({ id }) => id === arm.id);
      return before === undefined ? [] : armDifferences(before, arm);
    }),
  ];
}

/** Differences of an arm. Another objective brings all its settings, so only changes beyond those are listed. */
function armDifferences(before: Arm, arm: Arm): SettingDifference[] {
  const from = before.objective === arm.objective ? before : withObjectiveLive(before, findObjective(arm.objective));
  return [
    ...differing(
      armSettings.filter(({ path }) => path === 'objective'),
      before,
      arm,
      arm.id,
    ),
    ...differing(armSettings, from, arm, arm.id),
    ...lossDifferences(from, arm),
  ];
}

/** Users' losses that are gone, and the parts of the others that differ, each loss's text first. */
function lossDifferences(before: Arm, arm: Arm): SettingDifference[] {
  const gone = before.losses.filter(({ name }) => arm.losses.every((loss) => loss.name !== name));
  return [
    ...gone.map(({ name, text }) => ({ path: `loss.${name}.text`, from: text, to: '' })),
    ...arm.losses.flatMap((loss) => partDifferences(before.losses, loss)),
  ].map((one) => ({ ...one, arm: arm.id, label: labelOfLossPart(one.path), restart: null }));
}

function partDifferences(before: Arm['losses'], loss: OwnLoss) {
  const path = `loss.${loss.name}.text`;
  const old = before.find(({ name }) => name === loss.name);
  const text = old?.text === loss.text ? [] : [{ path, from: old?.text ?? '', to: loss.text }];
  // Another text keeps the values that it has a parameter for.
  const [changed] = withLossPart(
    old === undefined ? [] : [old],
    { name: loss.name, part: { kind: 'text' } },
    loss.text,
  );
  if (changed === undefined) return text;
  const from = new Map(lossParts(withAllValues(changed)));
  const parts = lossParts(withAllValues(loss)).flatMap(([part, to]) => {
    const was = from.get(part);
    return was === undefined || was === to ? [] : [{ path: part, from: was, to }];
  });
  return [...text, ...parts];
}

/** A parameter that was never set has its text's value. */
function withAllValues(loss: OwnLoss): OwnLoss {
  const values = parameterValues(loss);
  const named = formulaOf(loss.text).parameters.map(({ name }, i) => [name, values[i] ?? 0] as const);
  return { ...loss, values: Object.fromEntries(named) };
}

function differing(
  settings: readonly PlacedSetting[],
  from: object,
  to: object,
  arm: string | null,
): SettingDifference[] {
  return settings.flatMap(({ path, label, restart }) => {
    const before = readSetting(from, path);
    const after = readSetting(to, path);
    if (before === undefined || after === undefined || before === after) return [];
    return [{ arm, path, label, from: before, to: after, restart }];
  });
}

const WORLD_RESTART = 'The policies would live in another world, so training starts again.';

function environmentDifferences(
  { environment: from }: Experiment,
  { environment: to }: Experiment,
): SettingDifference[] {
  const definition = definitionFor(to.id, to.settings);
  if (definition === undefined) return [];
  const before = definitionFor(from.id, from.settings)?.title ?? from.id;
  if (from.id !== to.id) {
    return [
      { arm: null, path: 'environment', label: 'World', from: before, to: definition.title, restart: WORLD_RESTART },
    ];
  }
  const texts = [textOf(from.settings) ?? '', textOf(to.settings) ?? ''];
  const { title } = definition;
  const [was, is] = before === title ? [`${title} as it was`, 'as it is written now'] : [before, title];
  const isOther = texts[0] !== texts[1];
  const world = { arm: null, path: 'environment', label: 'World', from: was, to: is, restart: WORLD_RESTART };
  return [
    ...(isOther ? [world] : []),
    ...environmentSettings(definition).flatMap(({ key, path, label, default: usual, restart }) => {
      // The settings of a user's world are at their defaults until they are set.
      const isOwn = texts[1] !== '';
      const old = from.settings[key] ?? (isOwn ? usual : undefined);
      const now = to.settings[key] ?? (isOwn ? usual : undefined);
      if (old === undefined || now === undefined || old === now) return [];
      return [{ arm: null, path, label, from: old, to: now, restart }];
    }),
  ];
}

function armListDifferences(from: Experiment, to: Experiment): SettingDifference[] {
  const names = (arms: readonly Arm[]): string => arms.map(({ name }) => name).join(', ');
  // A change of their order needs no restart.
  const ids = (arms: readonly Arm[]): string =>
    arms
      .map(({ id }) => id)
      .sort()
      .join();
  if (ids(from.arms) === ids(to.arms)) return [];
  return [
    { arm: null, path: 'arms', label: 'Arms', from: names(from.arms), to: names(to.arms), restart: ARMS_RESTART },
  ];
}

/** Changes of the next run, in place of those of this one. */
export function timelineDifference(from: readonly Change[], to: readonly Change[]): SettingDifference {
  const restart = 'What a run has changed cannot be changed any more.';
  return { arm: null, path: 'timeline', label: 'Changes', from: from.length, to: to.length, restart };
}

export type LiveChange = Omit<Change, 'update'>;

/** Live differences as commands; the same change in every arm becomes one change of all arms. */
export function liveChanges(differences: readonly SettingDifference[], arms: readonly Arm[]): LiveChange[] {
  const single = differences.flatMap(({ arm, path, to, restart }): LiveChange[] =>
    arm !== null && restart === null ? [{ arm, setting: path, value: to }] : [],
  );
  // An objective comes first: it would undo the others.
  const settings = [...new Set(['objective', ...single.map(({ setting }) => setting)])];
  return settings.flatMap((setting) => {
    const changes = single.filter((change) => change.setting === setting);
    const [first] = changes;
    const everyArm = changes.length === arms.length && arms.length > 1;
    const same = changes.every(({ value }) => value === first?.value);
    return first !== undefined && everyArm && same ? [{ ...first, arm: EVERY_ARM }] : changes;
  });
}
