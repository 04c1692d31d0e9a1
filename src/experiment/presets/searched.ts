/**
 * The default experiment: both arms at the settings that a search picked for the action mask (findings/fair). All arms of
 * an experiment share one start and one batch, so they take the mask's.
 */
import type { Arm } from '../experiment';
import { KNOWN_OF_FIRST } from '../known';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';

const tuned: Arm = { ...actionMask, learningRate: 2e-3, entropyCoefficient: 0.06, innerEpochs: 4 };

export const gridworldSearched: Preset = {
  id: 'gridworld-searched',
  claim:
    'At the settings that the mask’s own search picked, adding prediction gave a larger area under the success curve, in this one world.',
  expectation: KNOWN_OF_FIRST,
  experiment: {
    ...baseExperiment,
    preset: 'gridworld-searched',
    updates: 150,
    environment: environmentOf('gridworld', { heldOut: 0.2 }),
    policy: { ...smallPolicy, initialScale: 0.02 },
    batch: { groups: 32, groupSize: 8 },
    evaluation: { every: 50, tasks: 64 },
    arms: [tuned, worldModelOf(tuned, 0.1)],
  },
};
