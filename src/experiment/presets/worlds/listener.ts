/** A pretrained storyteller that is rewarded for taking up what it is asked: what each mask makes of its English. */
import { actionMask, baseExperiment, environmentOf, noMask, type Preset, worldModel } from '../preset';

/** Settings of the trial behind this preset: the reward alone, and steps that are large for a pretrained model. */
const own = { learningRate: 0.001, klCoefficient: 0, entropyCoefficient: 0 };

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
    arms: [
      { ...actionMask, ...own },
      { ...worldModel, ...own },
      { ...noMask, ...own },
      { ...actionMask, ...own, id: 'mask-kl', name: 'Action mask, KL', klCoefficient: 0.1, learningRate: 0.0005 },
    ],
  },
};
