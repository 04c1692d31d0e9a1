/** A pretrained storyteller that is rewarded for stories that hold given words, in a world of texts (worlds/words.js). */
import type { Experiment } from '../../experiment';
import { baseExperiment, type Preset } from '../preset';
import { storytellers } from './listener';

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
  arms: [storytellers.mask, storytellers.model, storytellers.held],
};

export const words: Preset = {
  id: 'world-words',
  claim: 'Can a storyteller of 260,000 parameters learn to put given words into a story, and does it stay a story?',
  experiment: forTexts,
};
