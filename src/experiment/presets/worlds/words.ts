/** A pretrained storyteller that is rewarded for stories that hold given words, in a world of texts (worlds/words.js). */
import type { Experiment } from '../../experiment';
import { actionMask, baseExperiment, type Preset, worldModel } from '../preset';

/** Settings of the listener's arms: the reward alone, and steps that are large for a pretrained model. */
const own = { learningRate: 0.001, klCoefficient: 0, entropyCoefficient: 0 };

/** Experiment that a world of texts begins with: a storyteller, and three arms that do different things to its English. */
export const forTexts: Experiment = {
  ...baseExperiment,
  preset: 'world-words',
  title: 'A story with three words in it',
  seeds: 1,
  updates: 60,
  environment: { id: 'own', settings: { world: '@words' } },
  policy: { ...baseExperiment.policy, model: 'stories260k' },
  batch: { groups: 8, groupSize: 8 },
  evaluation: { every: 20, tasks: 32, toolEvery: 0 },
  arms: [
    { ...actionMask, ...own },
    { ...worldModel, ...own },
    { ...actionMask, ...own, id: 'mask-kl', name: 'Action mask, KL', klCoefficient: 0.1, learningRate: 0.0005 },
  ],
};

export const words: Preset = {
  id: 'world-words',
  claim: 'Can a storyteller of 260,000 parameters learn to put given words into a story, and does it stay a story?',
  experiment: forTexts,
};
