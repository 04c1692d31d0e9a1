/** Inverse dynamics beside prediction: the action from before and after, or what comes after from the action. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';

const predicting = worldModelOf(actionMask, 0.1);

export const inverseDynamics: Preset = {
  id: 'inverse-dynamics',
  claim:
    'An agent can learn what its actions do in two directions: what comes after an action, or which action lay between two observations. Does either help it to act, or both?',
  expectation:
    'In the recorded run of four seeds, whose range stands in brackets, the area under the success curve was 0.19 ' +
    '(0.16 to 0.25) for the action mask, 0.24 (0.20 to 0.28) with prediction, 0.16 (0.14 to 0.20) with inverse ' +
    'dynamics and 0.19 (0.17 to 0.20) with both. With η = 1 watch whether the action comes to be read off: a guess ' +
    'among four moves has 1.4 nats. Both losses share the weights, so that each may cost the other. Would a longer ' +
    'run, or a world whose controls are hidden, tell something else? Nothing was searched.',
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
