/** A change in words: what it is of, from what and to what, and of which arms. */

import { labelOfLossPart } from '../../experiment/arm/ownLossSettings';
import { type Arm, type Change, type Experiment, findArmSetting, getArmPart } from '../../experiment/experiment';
import type { SettingValue } from '../../experiment/settings/setting';
import { actsOn, EVERY_ARM, effectiveArms } from '../../experiment/timeline';
import { nameOfValue } from './settings/valueNames';

/** Names where there is little room. */
const SHORT: Readonly<Record<string, string>> = { 'ce.observation': 'λ' };

export interface ChangeWords {
  /** Name of the arm that changes, or “all arms”. */
  readonly who: string;
  /** Name of the setting: “clip above”. */
  readonly what: string;
  /** Value before the change; null where the arms differ, or there was none. */
  readonly from: string | null;
  readonly to: string;
}

export function changeWords(experiment: Pick<Experiment, 'arms' | 'timeline'>, change: Change): ChangeWords {
  const { setting, value, arm } = change;
  const label = SHORT[setting] ?? findArmSetting(setting)?.label ?? labelOfLossPart(setting);
  const before = valuesBefore(experiment, change);
  const [first] = before;
  const isOne = first !== undefined && before.every((one) => one === first);
  return {
    who: arm === EVERY_ARM ? 'all arms' : (experiment.arms.find(({ id }) => id === arm)?.name ?? arm),
    what: /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label,
    from: isOne ? nameOfValue(setting, first) : null,
    to: nameOfValue(setting, value),
  };
}

/** Values that the arms of a change have just before it. */
function valuesBefore(experiment: Pick<Experiment, 'arms' | 'timeline'>, change: Change): (SettingValue | undefined)[] {
  const timeline = experiment.timeline.filter((other) => other !== change && other.update <= change.update);
  const concerns = (arm: Arm): boolean => actsOn(change, arm);
  return effectiveArms({ ...experiment, timeline }, change.update)
    .filter(concerns)
    .map((arm) => getArmPart(arm, change.setting));
}

/** “λ 0.1 → 0.2”, “clip above to 0.28”. */
export const nameOfChange = ({ what, from, to }: ChangeWords): string =>
  from === null ? `${what} to ${to}` : `${what} ${from} → ${to}`;

/** “World model: λ 0.1 → 0.2, from update 100”. */
export function changeInWords(experiment: Pick<Experiment, 'arms' | 'timeline'>, change: Change): string {
  const words = changeWords(experiment, change);
  return `${words.who}: ${nameOfChange(words)}, from update ${change.update}`;
}
