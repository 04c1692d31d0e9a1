/**
 * Numbers of an arm's own losses as settings: their parameters, and an added loss's weights. They have labels, limits and
 * paths as other settings do, so that controls, sweeps and the timeline take them alike.
 */
import { ROLES } from '../../foundation/roles';
import { real } from '../../hyperparameters/setting';
import { type Arm, type ArmSettingPath, armSettings, getArmPart } from '../experiment';
import { isNumberSetting, type NumberSetting, type PlacedSetting, type SettingValue } from '../settings/setting';
import { formulaOf, lossPath, OWN_LOSS_LIMITS, type OwnLoss, parameterValues } from './ownLosses';

export type PlacedNumber = PlacedSetting<NumberSetting>;

/** Settings of a loss whose text compiles; none of one that does not. */
export function settingsOfLoss(loss: OwnLoss): readonly PlacedNumber[] {
  const path = `loss.${loss.name}.`;
  const { parameters } = formulaOf(loss.text);
  const values = parameters.map(({ name, default: usual, min, max }) => ({
    ...real({
      label: `${loss.name} ${name}`,
      help: `Parameter of the formula ${loss.name}, between ${min} and ${max}.`,
      default: usual,
      min,
      max,
      soft: [min, max],
      step: Number(((max - min) / 100).toPrecision(1)) || 1,
    }),
    path: path + name,
  }));
  if (loss.place !== 'added') return values;
  const limit = OWN_LOSS_LIMITS.weight;
  const weights = ROLES.map((role) => ({
    ...real({
      label: `${loss.name} on ${role} tokens`,
      help: `Weight of the formula ${loss.name} on ${role} tokens; 0 leaves them out.`,
      default: 0,
      min: -limit,
      max: limit,
      soft: [0, 1],
      step: 0.05,
    }),
    path: `${path}on.${role}`,
  }));
  return [...weights, ...values];
}

/** Numbers of an arm that can act while training. */
export function liveNumbers(arm: Arm): readonly PlacedNumber[] {
  const usual = armSettings.filter(
    (setting): setting is PlacedNumber & { readonly path: ArmSettingPath } =>
      setting.restart === null && isNumberSetting(setting),
  );
  return [...usual, ...arm.losses.flatMap(settingsOfLoss)];
}

/** Value of an arm at a path; a parameter that was never set has its text's value. */
export function presentValue(arm: Arm, path: string): SettingValue | undefined {
  const of = lossPath(path);
  const loss = arm.losses.find(({ name }) => name === of?.name);
  if (of?.part.kind !== 'value' || loss === undefined) return getArmPart(arm, path);
  const { parameter } = of.part;
  const place = formulaOf(loss.text).parameters.findIndex(({ name }) => name === parameter);
  return parameterValues(loss)[place];
}

/** Label of a loss's part in lists of changes; the path itself where it names none. */
export function labelOfLossPart(path: string): string {
  const place = lossPath(path);
  if (place === null) return path;
  const { name, part } = place;
  if (part.kind === 'text') return `Formula ${name}`;
  if (part.kind === 'place') return `Place of ${name}`;
  return part.kind === 'on' ? `${name} on ${part.role} tokens` : `${name} ${part.parameter}`;
}
