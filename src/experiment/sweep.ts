/**
 * One arm many times over, each with another value of one setting: a population trained together from the same seeds on
 * the same tasks, so that what a value does can be read off.
 */
import { LabError } from '../foundation/errors';
import {
  type Arm,
  type ArmSettingPath,
  armSettings,
  type Change,
  type Experiment,
  getArmSetting,
  withArmSetting,
} from './experiment';
import { parseExperiment } from './parse';
import { refuseFixed } from './policyFiles';
import { isNumberSetting, type NumberSetting, type PlacedSetting } from './setting';
import { LIMITS } from './settings';
import { EVERY_ARM, recordChanges } from './timeline';

type Sweepable = PlacedSetting<NumberSetting> & { readonly path: ArmSettingPath };

/** Numbers of an arm that can act while training: all that a population's members may differ in. */
export const sweepable: readonly Sweepable[] = armSettings.filter(
  (setting): setting is Sweepable => setting.restart === null && isNumberSetting(setting),
);

/** λ from nothing to far too much. */
const LAMBDAS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3] as const;
const FACTORS = [0.1, 0.3, 1, 3, 10] as const;
const STEPS = 5;

const within = (setting: Sweepable, values: readonly number[]): number[] => [
  ...new Set(
    values
      .map((value) => Number(value.toPrecision(3)))
      .map((value) => (setting.type === 'integer' ? Math.round(value) : value))
      .filter((value) => value >= setting.min && value <= setting.max),
  ),
];

/** Values worth trying: around the arm's own where steps are factors, else over the slider's range. */
export function usualValues(setting: Sweepable, arm: Arm): number[] {
  if (setting.path === 'ce.observation') return [...LAMBDAS];
  const own = getArmSetting(arm, setting.path) as number;
  const [low, high] = setting.soft;
  if (setting.scale === 'log' && own > 0) {
    return within(
      setting,
      FACTORS.map((factor) => own * factor),
    );
  }
  return within(
    setting,
    Array.from({ length: STEPS }, (_, step) => low + ((high - low) * step) / (STEPS - 1)),
  );
}

/** “0, .01, 0.1” as numbers in order, each once. Throws LabError. */
export function readValues(text: string): number[] {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const unreadable = parts.find((part) => !Number.isFinite(Number(part.replace('−', '-'))));
  if (unreadable !== undefined) {
    throw new LabError('invalid-experiment', `“${unreadable}” is no number.`, 'Write values like 0, 0.01, 0.1, 1.');
  }
  const values = [...new Set(parts.map((part) => Number(part.replace('−', '-'))))].sort((a, b) => a - b);
  if (values.length < 2 || values.length > LIMITS.arms) {
    const what = `A sweep takes 2 to ${LIMITS.arms} different values, not ${values.length}.`;
    throw new LabError('invalid-experiment', what, 'Write values like 0, 0.01, 0.1, 1.');
  }
  return values;
}

/** What a sweep's arms are called by: the symbol a label ends with, else all of it. */
function nameOf({ label }: Sweepable): string {
  const last = label.split(' ').at(-1) ?? label;
  return [...last].length === 1 ? last : label;
}

export function findSweepable(path: string): Sweepable {
  const setting = sweepable.find((candidate) => candidate.path === path);
  if (setting !== undefined) return setting;
  const what = `“${path}” is no number of an arm that arms trained together can differ in.`;
  throw new LabError('invalid-experiment', what, 'Name one such as ce.observation, learningRate or temperature.');
}

/**
 * The experiment with one arm only, once for each value. Its planned changes come along, but for those that would replace
 * the value. Throws LabError where that is no valid experiment (too many members, a value out of bounds), or the arm learns
 * nothing.
 */
export function sweepOf(experiment: Experiment, armId: string, path: string, values: readonly number[]): Experiment {
  const setting = findSweepable(path);
  const arm = experiment.arms.find(({ id }) => id === armId);
  if (arm === undefined) {
    const known = experiment.arms.map(({ id }) => id).join(', ');
    throw new LabError('invalid-experiment', `There is no arm “${armId}” to sweep.`, `Arms are: ${known}.`);
  }
  refuseFixed(arm, 'there is nothing to sweep');
  const keeps = (change: Change): boolean =>
    (change.arm === EVERY_ARM || change.arm === armId) && change.setting !== path && change.setting !== 'objective';
  return parseExperiment({
    ...experiment,
    title: `${arm.name}: sweep of ${setting.label}`.slice(0, 120),
    arms: values.map((value, index) => ({
      ...withArmSetting(arm, setting.path, value),
      id: `${SWEPT}${index + 1}`,
      name: `${nameOf(setting)} = ${value}`,
    })),
    // Of a change of all arms and one of this arm's own at the same time, the later one stays: it had the last word.
    timeline: recordChanges(
      [],
      experiment.timeline.filter(keeps).map((change) => ({ ...change, arm: EVERY_ARM })),
    ),
  });
}

const SWEPT = 'sweep-';

/** Whether an arm is one of a sweep's, whatever its settings have become. */
export const isSwept = ({ id }: Pick<Arm, 'id'>): boolean => id.startsWith(SWEPT);

export interface Sweep {
  readonly setting: Sweepable;
  readonly name: string;
  /** In the order of the arms. */
  readonly values: readonly number[];
}

/** Fewer points show no shape, and are not drawn. */
export const LEAST_DRAWN = 3;

/** What arms differ in, if it is a single number and each has its own: a sweep, however it was put together. */
export function findSweep(arms: readonly Arm[]): Sweep | null {
  const [first] = arms;
  if (first === undefined || arms.length < LEAST_DRAWN) return null;
  const differing = armSettings.filter(({ path }) =>
    arms.some((arm) => getArmSetting(arm, path) !== getArmSetting(first, path)),
  );
  const setting = sweepable.find(({ path }) => path === differing[0]?.path);
  if (differing.length !== 1 || setting === undefined) return null;
  const values = arms.map((arm) => getArmSetting(arm, setting.path) as number);
  return new Set(values).size === arms.length ? { setting, name: nameOf(setting), values } : null;
}
