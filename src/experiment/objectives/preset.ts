/** What a preset of an arm's objective is. */
import type { ArmSettingPath } from '../experiment';
import type { SettingValue } from '../setting';
import type { ObjectiveId } from '../settings/objectives';

/** Families in the order they are offered. */
export const PRESET_FAMILIES = {
  policy: 'Policy gradient',
  'world-model': 'World models',
  control: 'Controls and mistakes',
} as const;

export interface ObjectiveDescription {
  readonly family: keyof typeof PRESET_FAMILIES;
  /** `arXiv 2402.03300`, or whose code it follows. */
  readonly citation: string;
  /** Why one would choose it, in one sentence. */
  readonly reason: string;
  /** Where paper and code differ, and what of it is not carried over; empty if nothing. */
  readonly caveat: string;
  /** What it sets; every other setting of the objective takes its default, the optimiser's stay as they are. */
  readonly settings: Readonly<Partial<Record<ArmSettingPath, SettingValue>>>;
}

export interface ObjectivePreset extends ObjectiveDescription {
  readonly id: ObjectiveId;
  readonly title: string;
}
