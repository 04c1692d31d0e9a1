/** One task, short and long: group advantages, steps compared by state or in a tree, a critic, and VAPO, side by side. */
import type { Arm, Experiment } from '../../experiment';
import { findObjective, withObjective } from '../../objectives/objectivePresets';
import type { ObjectiveId } from '../../settings/objectives';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from '../preset';

/** Two inner epochs in minibatches, so that clipping acts. */
const arm = (id: string, name: string, objective: ObjectiveId, more: Partial<Arm> = {}): Arm => ({
  ...withObjective({ ...actionMask, id, name }, findObjective(objective)),
  minibatches: 4,
  ...more,
});

const grpo = arm('grpo', 'GRPO', 'grpo', { klCoefficient: 0, entropyCoefficient: 0.01 });
const gigpo = arm('gigpo', 'GiGPO', 'gigpo', { entropyCoefficient: 0.01 });
const arms: readonly Arm[] = [
  grpo,
  gigpo,
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
  claim:
    'Eight turns to the goal: does it matter whether credit comes from a group, from turns that began in the same state, or from a critic?',
  finding: 'credit-and-horizon',
  experiment: experiment('credit-short', 'Whose credit learns soonest: a group’s, a state’s or a critic’s?', 8),
};

export const creditLong: Preset = {
  id: 'credit-long',
  claim:
    'The same task with 32 turns, so that states come again within an episode and its reward is far from most actions: does a critic help then, or comparing states?',
  finding: 'credit-and-horizon',
  experiment: experiment('credit-long', 'Whose credit learns soonest when episodes are four times as long?', 32),
};

export const creditTree: Preset = {
  id: 'credit-tree',
  claim:
    'The group of rollouts as one tree of what they share: is a step judged better by all that stood where it was taken than by how its episode ended?',
  experiment: {
    ...experiment('credit-tree', 'A group’s rollouts as a tree: whose steps were worth it?', 32),
    arms: [
      grpo,
      gigpo,
      arm('rtmc', 'RTMC, by history', 'rtmc', { entropyCoefficient: 0.01 }),
      arm('rtmc-state', 'RTMC, by observation', 'rtmc', { entropyCoefficient: 0.01, treeState: 'observation' }),
    ],
  },
};
