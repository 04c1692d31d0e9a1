/** Hindsight, another use of failed episodes: policy gradient towards what they reached, no prediction of what they saw. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, type Preset, worldModel } from '../preset';

const hindsightOf = (id: string, name: string, share: number): Arm => ({ ...actionMask, id, name, hindsight: share });

export const hindsight: Preset = {
  id: 'hindsight',
  claim: 'Do failures that are told again as successes at what they reached help where reward is rare?',
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
