/** Form of a preset, and the arms and sizes that most presets share. */
import * as v from 'valibot';
import type { EnvironmentSettings } from '../../environments/environment';
import { defaultSettings } from '../../environments/registry';
import { type Arm, defaultArm, type Experiment, ExperimentSchema } from '../experiment';

export interface Preset {
  readonly id: string;
  /** Question of the experiment in a sentence; a claim only where recorded runs hold it. */
  readonly claim: string;
  /** Claim in findings/ that asks the same of it, with recorded runs or with runs to come. */
  readonly finding?: string;
  readonly experiment: Experiment;
}

/** Policy gradient on actions only; the other arms here are made from it. */
export const actionMask: Arm = defaultArm('action-mask', 'Action mask');
/** The arm `mask` with cross-entropy on observations besides, weighted by λ. */
export const worldModelOf = (mask: Arm, lambda: number): Arm => ({
  ...mask,
  id: 'world-model',
  name: 'World model',
  objective: 'world-model',
  ce: { ...mask.ce, observation: lambda },
});

export const worldModel: Arm = worldModelOf(actionMask, 0.1);

export const noMask: Arm = {
  ...defaultArm('no-mask', 'No mask'),
  objective: 'no-mask',
  pg: { ...actionMask.pg, observation: 1 },
};

/** An environment by its id, with some settings of its own. */
export function environmentOf(id: string, settings: EnvironmentSettings = {}) {
  return { id, settings: { ...defaultSettings(id), ...settings } };
}

/** Base of all presets: 16 tasks an update, 8 episodes each, a policy of about 100,000 parameters. */
export const baseExperiment: Experiment = v.parse(ExperimentSchema, {
  version: 1,
  preset: 'gridworld',
  title: 'Which tokens should learn?',
  environment: environmentOf('gridworld'),
  arms: [actionMask, worldModel],
});

/** Half as wide, for devices without a GPU. The weights begin a little larger, as narrower layers need. */
export const smallPolicy: Experiment['policy'] = {
  ...baseExperiment.policy,
  width: 32,
  heads: 2,
  initialScale: 0.08,
};

/** Base of presets that ask about a loss: a gridworld of 5 × 5 cells, small and short enough for a device without a GPU. */
export const fiveByFive: Experiment = {
  ...baseExperiment,
  updates: 150,
  environment: environmentOf('gridworld', { size: 5 }),
  policy: smallPolicy,
  batch: { groups: 8, groupSize: 8 },
};
