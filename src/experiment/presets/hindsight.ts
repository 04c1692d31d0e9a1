/** Hindsight as a rival use of failed episodes: gradients towards what they reached instead of predictions of what they saw. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, type Preset, worldModel } from './preset';

const hindsightOf = (id: string, name: string, share: number): Arm => ({ ...actionMask, id, name, hindsight: share });

export const hindsight: Preset = {
  id: 'hindsight',
  claim: 'To be measured.',
  expectation: 'To be measured.',
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
