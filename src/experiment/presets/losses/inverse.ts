/** Inverse dynamics beside prediction: the action from before and after, or what comes after from the action. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from '../preset';

const predicting = worldModelOf(actionMask, 0.1);

export const inverseDynamics: Preset = {
  id: 'inverse-dynamics',
  claim:
    'An agent can learn what its actions do in two directions: what comes after an action, or which action lay between two observations. Does either help it to act, or both?',
  experiment: {
    ...baseExperiment,
    preset: 'inverse-dynamics',
    title: 'Which action was it?',
    updates: 150,
    environment: environmentOf('gridworld', { size: 5 }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 8 },
    arms: [
      actionMask,
      predicting,
      { ...actionMask, id: 'inverse', name: 'Inverse dynamics', inverseDynamics: 1 },
      { ...predicting, id: 'both', name: 'Both', inverseDynamics: 1 },
    ],
  },
};
