/** Similarity to a right answer as the reward (SWE-RL, arXiv 2502.18449), against the right answer alone. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from '../preset';

const taught = { ...actionMask, warmStart: 'actions' } as const;

export const similarityReward: Preset = {
  id: 'similarity-reward',
  claim: 'Is an edit that is nearly right worth something, or only the right one?',
  experiment: {
    ...baseExperiment,
    preset: 'similarity-reward',
    title: 'Is nearly right worth something?',
    updates: 150,
    environment: environmentOf('terminal', {
      tasks: 'edit',
      grading: 'similarity',
      files: 2,
      content: 4,
      lines: 1,
      lineWords: 3,
      actionTokens: 6,
      output: 6,
      horizon: 3,
    }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 8 },
    evaluation: { every: 50, tasks: 64, toolEvery: 0 },
    warmStart: { ...baseExperiment.warmStart, updates: 200 },
    arms: [
      { ...taught, id: 'exact', name: 'Right or wrong', outcomeForm: 'binary' },
      { ...taught, id: 'similarity', name: 'Similarity' },
    ],
  },
};
