/**
 * An experiment: everything needed to reproduce a run, as one value. The schema is made from the tables in settings/,
 * and the types from the schema. Rules between settings are checked in parse.ts.
 */
import * as v from 'valibot';
import { isPrintable } from '../foundation/errors';
import { lossPart, lossPath, OwnLossesSchema, withLossPart } from './arm/ownLosses';
import {
  type PathOf,
  type PlacedSetting,
  placeSettings,
  readSetting,
  type SettingValue,
  tableEntries,
  type ValueAt,
  writeSetting,
} from './settings/setting';
import { ARM_TABLE, EXPERIMENT_TABLE, LIMITS } from './settings/tables';

const text = (what: string, longest: number) =>
  v.pipe(
    v.string(`${what} must be text.`),
    v.maxLength(longest, `${what} may have at most ${longest} characters.`),
    v.check(isPrintable, `${what} must not contain control characters.`),
  );

const ID = /^[a-z0-9-]{1,32}$/;
const id = (what: string) =>
  v.pipe(v.string(), v.regex(ID, `${what} must be 1 to 32 lower-case letters, digits and hyphens.`));

export const ArmSchema = v.strictObject({
  id: id('An arm’s id'),
  name: v.pipe(text('An arm’s name', 60), v.minLength(1, 'An arm needs a name.')),
  ...tableEntries(ARM_TABLE),
  losses: OwnLossesSchema,
});

export const ChangeSchema = v.strictObject({
  /** The change acts before this update (counted from 0) begins. */
  update: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(EXPERIMENT_TABLE.updates.max)),
  /** An arm's id, or `*` for all arms. */
  arm: v.union([v.literal('*'), id('A change’s arm')]),
  /** A path such as `ce.observation` or, of a user's loss, `loss.mine.text`. */
  setting: v.pipe(v.string(), v.maxLength(128)),
  /** Checked against its setting in parse.ts. */
  value: v.pipe(
    v.union([v.number(), v.boolean(), v.pipe(v.string(), v.maxLength(4096))]),
    v.transform((value) => (value === 0 ? 0 : value)),
  ),
});

const TOO_MANY_SETTINGS = `An environment has at most ${LIMITS.worldSettings} settings.`;

export const ExperimentSchema = v.strictObject({
  version: v.literal(1, 'This experiment was written by another version of the lab.'),
  /** The preset it was made from; links carry the differences. */
  preset: id('The preset'),
  title: v.pipe(
    text('The title', 120),
    v.check((title) => title.trim() !== '', 'An experiment needs a title.'),
  ),
  ...tableEntries(EXPERIMENT_TABLE),
  environment: v.strictObject({
    id: v.pipe(v.string(), v.maxLength(32)),
    /** Checked against, and completed from, the environment's own settings. */
    settings: v.optional(
      v.pipe(
        v.record(v.string(), v.unknown()),
        v.check((settings) => Object.keys(settings).length <= LIMITS.worldSettings, TOO_MANY_SETTINGS),
        v.record(v.string(), v.union([v.number(), v.boolean(), v.string()])),
      ),
      {},
    ),
  }),
  // Counted before they are read: a file has room for a hundred thousand.
  arms: v.pipe(
    v.array(v.unknown()),
    v.minLength(1, 'An experiment needs at least one arm.'),
    v.maxLength(LIMITS.arms, `An experiment may have at most ${LIMITS.arms} arms.`),
    v.array(ArmSchema),
  ),
  timeline: v.optional(
    v.pipe(
      v.array(v.unknown()),
      v.maxLength(LIMITS.changes, `The timeline may have at most ${LIMITS.changes} changes.`),
      v.array(ChangeSchema),
    ),
    [],
  ),
});

export type Arm = v.InferOutput<typeof ArmSchema>;
export type Change = v.InferOutput<typeof ChangeSchema>;
export type Experiment = v.InferOutput<typeof ExperimentSchema>;

export type ArmSettingPath = PathOf<typeof ARM_TABLE>;

export const experimentSettings: readonly PlacedSetting[] = placeSettings(EXPERIMENT_TABLE);
export const armSettings = placeSettings(ARM_TABLE) as readonly (PlacedSetting & { readonly path: ArmSettingPath })[];

/** Paths that may change while training. */
export const liveSettings: readonly ArmSettingPath[] = armSettings
  .filter((setting) => setting.restart === null)
  .map((setting) => setting.path);

/** A setting of arms by its path; undefined if there is none. */
export function findArmSetting(path: string): (PlacedSetting & { readonly path: ArmSettingPath }) | undefined {
  return armSettings.find((setting) => setting.path === path);
}

export function isLiveSetting(path: string): path is ArmSettingPath {
  return (liveSettings as readonly string[]).includes(path);
}

export function getArmSetting<P extends ArmSettingPath>(arm: Arm, path: P): ValueAt<Arm, P> {
  return readSetting(arm, path) as ValueAt<Arm, P>;
}

/** A copy of the arm with one setting changed. */
export function withArmSetting(arm: Arm, path: ArmSettingPath, value: SettingValue): Arm {
  return writeSetting(arm, path, value);
}

/** A copy of the arm with the setting, or part of a loss of its own, at a path of the timeline changed. */
export function withArmPart(arm: Arm, path: string, value: SettingValue): Arm {
  const ofLoss = lossPath(path);
  if (ofLoss !== null) return { ...arm, losses: [...withLossPart(arm.losses, ofLoss, value)] };
  return isLiveSetting(path) ? withArmSetting(arm, path, value) : arm;
}

/** Value of an arm at a path of the timeline; undefined where it has none. */
export function getArmPart(arm: Arm, path: string): SettingValue | undefined {
  const ofLoss = lossPath(path);
  return ofLoss === null ? readSetting(arm, path) : lossPart(arm.losses, ofLoss);
}

/** An arm with every setting at its default. */
export function defaultArm(armId: string, name: string): Arm {
  return v.parse(ArmSchema, { id: armId, name });
}
