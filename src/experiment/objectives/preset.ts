/** Form of a preset of an arm's objective. */
import type { ArmSettingPath } from '../experiment';
import type { ObjectiveId } from '../settings/objectives';
import type { SettingValue } from '../settings/setting';

/** Families in the order they are offered. */
export const PRESET_FAMILIES = {
  policy: 'Policy gradient',
  'world-model': 'World models',
  control: 'Controls and mistakes',
} as const;

export interface ObjectiveDescription {
  readonly family: keyof typeof PRESET_FAMILIES;
  /** Settings that differ from the defaults. Settings outside an objective, such as the optimiser's, keep their values. */
  readonly settings: Readonly<Partial<Record<ArmSettingPath, SettingValue>>>;
}

/** Words about an objective, for people who choose one. */
export interface ObjectiveAbout {
  /** `arXiv 2402.03300`, or the project whose code it follows. */
  readonly citation: string;
  /** Reason to choose it, in one sentence. */
  readonly reason: string;
  /** Differences between paper, code and this lab; empty if there are none. */
  readonly caveat: string;
}

export const about = (citation: string, reason: string, caveat: string): ObjectiveAbout => ({
  citation,
  reason,
  caveat,
});

export interface ObjectivePreset extends ObjectiveDescription {
  readonly id: ObjectiveId;
  readonly title: string;
}
