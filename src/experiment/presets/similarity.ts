/** Similarity to a right answer as the reward (SWE-RL, arXiv 2502.18449), against the right answer alone. */
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from './preset';

const taught = { ...actionMask, warmStart: 'actions' } as const;

export const similarityReward: Preset = {
  id: 'similarity-reward',
  claim: 'Is an edit that is nearly right worth something, or only the right one?',
  expectation:
    'One line of three words has to be written to /answer without a given word. Right or wrong pays 1 or 0; SWE-RL (arXiv 2502.18449) pays the similarity to the right answer, −1 where there is none. ' +
    'Four seeds of 150 updates after imitation: areas under the success curve of 0.71 (0.66 to 0.75) for right or wrong and 0.62 (0.57 to 0.68) for similarity; success at the end 0.80 (0.78 to 0.82) and 0.75 (0.63 to 0.88). ' +
    'After a shorter imitation, of 40 steps, nothing was learned from right or wrong (0.00), and 0.01 (0.00 to 0.06) from similarity, which found lines that are nearly right instead. ' +
    'A file copied whole is worth up to 0.8 here. Would more words to keep, or a partial credit that grows faster near the end, make similarity pay? Four seeds do not say, and nothing was searched.',
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
    evaluation: { every: 50, tasks: 64 },
    warmStart: { ...baseExperiment.warmStart, updates: 200 },
    arms: [
      { ...taught, id: 'exact', name: 'Right or wrong', outcomeForm: 'binary' },
      { ...taught, id: 'similarity', name: 'Similarity' },
    ],
  },
};
