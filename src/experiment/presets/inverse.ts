/** Inverse dynamics beside prediction: the action from before and after, or what comes after from the action. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';

const predicting = worldModelOf(actionMask, 0.1);

export const inverseDynamics: Preset = {
  id: 'inverse-dynamics',
  claim:
    'An agent can learn what its actions do in two directions: what comes after an action, or which action lay between two observations. Does either help it to act, or both?',
  expectation:
    'Four seeds of 150 updates: areas under the success curve of 0.19 (0.13 to 0.26) for the action mask, 0.24 (0.18 to 0.30) with prediction, 0.16 (0.12 to 0.20) with inverse dynamics and 0.19 (0.16 to 0.21) with both. ' +
    'With η = 1 the action came to be read off: from 3.4 or 3.5 nats to 0.2 to 0.5, where a guess among four moves has 1.4; with η = 0.1 hardly a seed got below that guess. ' +
    'Both losses share the weights: cross-entropy of observations ended at 1.7 to 2.4 nats with both, at 0.9 to 1.1 with prediction alone. ' +
    'Would a longer run, or a world whose controls are hidden, tell something else? The intervals overlap, and nothing was searched.',
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
