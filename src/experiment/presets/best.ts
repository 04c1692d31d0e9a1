/**
 * The experiment a visitor meets first: both arms at the settings that, of all a search tried, were best for the action mask
 * (findings/fair). An experiment has one start and one batch for all its arms, and these are the fair ones.
 */
import type { Arm } from '../experiment';
import { KNOWN_OF_FIRST } from '../known';
import { actionMask, environmentOf, type Preset, smallPolicy, worldModelOf } from './preset';
import { shop } from './shop';

const tuned: Arm = { ...actionMask, learningRate: 4e-3, entropyCoefficient: 0.01, innerEpochs: 4 };

export const shopBest: Preset = {
  id: 'shop-best',
  claim:
    'In a shop whose catalogue stays, with settings chosen for the action mask, does predicting its pages still help?',
  expectation: KNOWN_OF_FIRST,
  experiment: {
    ...shop.experiment,
    preset: 'shop-best',
    title: 'Which tokens should learn? A shop, at the mask’s best settings',
    environment: environmentOf('shop', { holdOut: true }),
    policy: { ...smallPolicy, initialisation: 'fan-in' },
    evaluation: { every: 100, tasks: 64 },
    arms: [tuned, worldModelOf(tuned, 0.2)],
  },
};
