/** One task, short and long: group advantages, steps compared by state, a critic, and VAPO, side by side. */
import type { Arm, Experiment } from '../experiment';
import { findObjective, withObjective } from '../objectivePresets';
import type { ObjectiveId } from '../settings/objectives';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from './preset';

/** Two inner epochs in minibatches, so that clipping acts. */
const arm = (id: string, name: string, objective: ObjectiveId, more: Partial<Arm> = {}): Arm => ({
  ...withObjective({ ...actionMask, id, name }, findObjective(objective)),
  minibatches: 4,
  ...more,
});

const arms: readonly Arm[] = [
  arm('grpo', 'GRPO', 'grpo', { klCoefficient: 0, entropyCoefficient: 0.01 }),
  arm('gigpo', 'GiGPO', 'gigpo', { entropyCoefficient: 0.01 }),
  arm('ppo', 'PPO', 'ppo', { entropyCoefficient: 0.01 }),
  arm('vapo', 'VAPO', 'vapo-whole', { entropyCoefficient: 0.01 }),
];

const experiment = (preset: string, title: string, horizon: number): Experiment => ({
  ...baseExperiment,
  preset,
  title,
  updates: 150,
  environment: environmentOf('gridworld', { size: 5, horizon }),
  policy: smallPolicy,
  batch: { groups: 8, groupSize: 8 },
  arms: [...arms],
});

export const creditShort: Preset = {
  id: 'credit-short',
  claim: '',
  expectation: '',
  experiment: experiment('credit-short', 'Whose credit learns soonest: a group’s, a state’s or a critic’s?', 8),
};

export const creditLong: Preset = {
  id: 'credit-long',
  claim: '',
  expectation: '',
  experiment: experiment('credit-long', 'And when episodes are four times as long?', 32),
};
