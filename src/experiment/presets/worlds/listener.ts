/** A pretrained storyteller that is rewarded for taking up what it is asked: what each mask makes of its English. */
import { actionMask, baseExperiment, environmentOf, noMask, type Preset, worldModel } from '../preset';

/** Settings of a storyteller's arms: the reward alone, and steps that are large for a pretrained model. */
export const storytelling = { learningRate: 0.001, klCoefficient: 0, entropyCoefficient: 0 };

/** Arms of a storyteller's experiments; the last is held to the model that it begins from. */
export const storytellers = {
  mask: { ...actionMask, ...storytelling },
  model: { ...worldModel, ...storytelling },
  held: {
    ...actionMask,
    id: 'mask-kl',
    name: 'Action mask, KL',
    entropyCoefficient: 0,
    klCoefficient: 0.1,
    learningRate: 0.0005,
  },
};

export const listener: Preset = {
  id: 'listener',
  claim: 'What does a storyteller that knows English learn from each mask, and what does it forget?',
  finding: 'storyteller-hacks',
  experiment: {
    ...baseExperiment,
    preset: 'listener',
    title: 'Tell me about the dog',
    seeds: 1,
    updates: 60,
    environment: environmentOf('listener'),
    policy: { ...baseExperiment.policy, model: 'stories260k' },
    batch: { groups: 8, groupSize: 8 },
    evaluation: { ...baseExperiment.evaluation, every: 20, tasks: 32 },
    arms: [storytellers.mask, storytellers.model, { ...noMask, ...storytelling }, storytellers.held],
  },
};
