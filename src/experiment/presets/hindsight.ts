/** Hindsight, another use of failed episodes: policy gradient towards what they reached, no prediction of what they saw. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, type Preset, worldModel } from './preset';

const hindsightOf = (id: string, name: string, share: number): Arm => ({ ...actionMask, id, name, hindsight: share });

export const hindsight: Preset = {
  id: 'hindsight',
  claim: 'Do failures that are told again as successes at what they reached help where reward is rare?',
  expectation:
    'Half of the failures told again, all of them, and all of them with importance weights, beside an action mask and ' +
    'a world model. Where a whole group is told again its rewards are equal and teach nothing, so more need not be ' +
    'better. The shop has hindsight, too. Nothing was searched, and nothing is recorded.',
  experiment: {
    ...baseExperiment,
    preset: 'hindsight',
    title: 'What did the failures reach?',
    arms: [
      actionMask,
      hindsightOf('hindsight-half', 'Hindsight, half', 0.5),
      hindsightOf('hindsight', 'Hindsight', 1),
      {
        ...hindsightOf('hindsight-weighted', 'Hindsight, weighted', 1),
        objective: 'tis',
        decodingCorrection: 'truncate',
        decodingLow: 0,
        decodingHigh: 2,
      },
      worldModel,
    ],
  },
};
