/** Hindsight, another use of failed episodes: policy gradient towards what they reached, no prediction of what they saw. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, type Preset, worldModel } from './preset';

const hindsightOf = (id: string, name: string, share: number): Arm => ({ ...actionMask, id, name, hindsight: share });

export const hindsight: Preset = {
  id: 'hindsight',
  claim:
    'In two seeds: failures told again as successes at what they reached were little help in the gridworld, and as much as a world model in the shop.',
  expectation:
    'Two seeds of 300 updates, success at the end and area under the curve: action mask 27% and 32%, 0.22; half of the ' +
    'failures told again 30% and 87%, 0.40; all of them 21% and 19%, 0.19; all of them with importance weights 20% and 17%, ' +
    '0.17; world model 96% and 94%, 0.65. Where a whole group is told again its rewards are equal and teach nothing, so that ' +
    'more was not better. In the shop (two seeds of 200 updates) half of the failures gave 80% and 82%, the world model 70% ' +
    'and 75%, the action mask 41% and 20%, and all of the failures 7% and 5%.',
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
