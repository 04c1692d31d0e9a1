/**
 * Sweep trained together: one arm several times, each with another value of one setting. They train as one population, with
 * the same seeds and tasks: only the value differs.
 */
import { LabError } from '../../foundation/errors';
import { lossPath } from '../arm/ownLosses';
import { liveNumbers, type PlacedNumber, presentValue, settingsOfLoss } from '../arm/ownLossSettings';
import { refuseFixed } from '../arm/policyFiles';
import { type Arm, armSettings, type Change, type Experiment, withArmPart } from '../experiment';
import { parseExperiment } from '../parse';
import { LIMITS } from '../settings/tables';
import { EVERY_ARM, recordChanges } from '../timeline';
import type { ArmNumbers, CellNumbers } from './finding';
import { SWEPT } from './swept';

/** Usual values of λ, from 0 to far too much. */
const LAMBDAS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3] as const;
const FACTORS = [0.1, 0.3, 1, 3, 10] as const;
const STEPS = 5;

const within = (setting: PlacedNumber, values: readonly number[]): number[] => [
  ...new Set(
    values
      .map((value) => Number(value.toPrecision(3)))
      .map((value) => (setting.type === 'integer' ? Math.round(value) : value))
      .filter((value) => value >= setting.min && value <= setting.max),
  ),
];

/** Values worth trying: multiples of the arm's present value on a logarithmic scale, else values over the slider's range. */
export function usualValues(setting: PlacedNumber, arm: Arm): number[] {
  if (setting.path === 'ce.observation') return [...LAMBDAS];
  const present = presentValue(arm, setting.path) as number;
  const [low, high] = setting.soft;
  if (setting.scale === 'log' && present > 0) {
    return within(
      setting,
      FACTORS.map((factor) => present * factor),
    );
  }
  return within(
    setting,
    Array.from({ length: STEPS }, (_, step) => low + ((high - low) * step) / (STEPS - 1)),
  );
}

/** Numbers in a text such as “0, .01, 0.1”, in order, each once. Throws LabError. */
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

/** Name of a setting in a sweep's arms: the symbol its label ends with, else the whole label. */
function nameOf({ label }: PlacedNumber): string {
  const last = label.split(' ').at(-1) ?? label;
  return [...last].length === 1 ? last : label;
}

/** The number of an arm at a path. Throws LabError where arms trained together cannot differ in it. */
export function findSweepable(arm: Arm, path: string): PlacedNumber {
  const setting = liveNumbers(arm).find((candidate) => candidate.path === path);
  if (setting !== undefined) return setting;
  const what = `“${path.slice(0, 80)}” is no number of the arm that arms trained together can differ in.`;
  const paths = arm.losses.flatMap(settingsOfLoss).map((one) => one.path);
  const names = ['ce.observation', 'learningRate', 'temperature', ...paths].join(', ');
  throw new LabError('invalid-experiment', what, `Name one such as ${names}.`);
}

/**
 * The experiment with one arm only, repeated for each value. Its timeline is kept, except changes that would replace the
 * value. Throws LabError if that is no valid experiment (too many members, a value out of bounds) or the arm is a fixed
 * policy.
 */
export function sweepOf(experiment: Experiment, armId: string, path: string, values: readonly number[]): Experiment {
  const arm = experiment.arms.find(({ id }) => id === armId);
  if (arm === undefined) {
    const known = experiment.arms.map(({ id }) => id).join(', ');
    throw new LabError('invalid-experiment', `There is no arm “${armId}” to sweep.`, `Arms are: ${known}.`);
  }
  const setting = findSweepable(arm, path);
  refuseFixed(arm, 'there is nothing to sweep');
  const keeps = (change: Change): boolean =>
    (change.arm === EVERY_ARM || change.arm === armId) && change.setting !== path && change.setting !== 'objective';
  return parseExperiment({
    ...experiment,
    title: `${arm.name}: sweep of ${setting.label}`.slice(0, 120),
    arms: values.map((value, index) => ({
      ...withArmPart(arm, setting.path, value),
      id: `${SWEPT}${index + 1}`,
      name: `${nameOf(setting)} = ${value}`,
    })),
    // A change of all arms and one of this arm may fall on the same update: recordChanges keeps the later one.
    timeline: recordChanges(
      [],
      experiment.timeline.filter(keeps).map((change) => ({ ...change, arm: EVERY_ARM })),
    ),
  });
}

export interface Sweep {
  readonly setting: PlacedNumber;
  readonly name: string;
  /** Values in the order of the arms. */
  readonly values: readonly number[];
}

/** Smallest number of points that are drawn: fewer show no shape. */
export const LEAST_DRAWN = 3;

/** The sweep that arms form: they differ in one number only, and each has its own value. null if they do not. */
export function findSweep(arms: readonly Arm[]): Sweep | null {
  const [first] = arms;
  if (first === undefined || arms.length < LEAST_DRAWN) return null;
  const lossNumbers = liveNumbers(first).filter(({ path }) => lossPath(path) !== null);
  const differing = [...armSettings, ...lossNumbers].filter(({ path }) =>
    arms.some((arm) => presentValue(arm, path) !== presentValue(first, path)),
  );
  const sameTexts = arms.every((arm) => textsOf(arm) === textsOf(first));
  const setting = liveNumbers(first).find(({ path }) => path === differing[0]?.path);
  if (differing.length !== 1 || setting === undefined || !sameTexts) return null;
  const values = arms.map((arm) => presentValue(arm, setting.path) as number);
  return new Set(values).size === arms.length ? { setting, name: nameOf(setting), values } : null;
}

/** Numbers of a sweep's arms as cells of one axis, where all are one arm. */
export const cellsOfArms = ({ values }: Sweep, arms: readonly ArmNumbers[]): CellNumbers[] =>
  arms.map(({ seeds }, arm) => ({ values: [String(values[arm])], arms: [{ id: '', name: 'Success', seeds }] }));

/** Key of an arm's losses: equal for arms with the same formulas under the same names and in the same places. */
const textsOf = ({ losses }: Arm): string => JSON.stringify(losses.map(({ name, text, place }) => [name, text, place]));
