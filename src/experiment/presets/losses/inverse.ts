/** Inverse dynamics beside prediction: the action from before and after, or what comes after from the action. */
import { actionMask, fiveByFive, type Preset, worldModelOf } from '../preset';

const predicting = worldModelOf(actionMask, 0.1);

export const inverseDynamics: Preset = {
  id: 'inverse-dynamics',
  claim:
    'An agent can learn what its actions do in two directions: what comes after an action, or which action lay between two observations. Does either help it to act, or both?',
  experiment: {
    ...fiveByFive,
    preset: 'inverse-dynamics',
    title: 'Which action was it?',
    arms: [
      actionMask,
      predicting,
      { ...actionMask, id: 'inverse', name: 'Inverse dynamics', inverseDynamics: 1 },
      { ...predicting, id: 'both', name: 'Both', inverseDynamics: 1 },
    ],
  },
};
