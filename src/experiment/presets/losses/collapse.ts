/** Template collapse: behaviour that ceases to tell of its task, which entropy alone does not show. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, fiveByFive, type Preset } from '../preset';

/** The arm begins by imitating an expert, whose behaviour tells of its goal. */
const taught: Arm = { ...actionMask, warmStart: 'actions', entropyCoefficient: 0.1 };

export const templateCollapse: Preset = {
  id: 'template-collapse',
  claim:
    'All arms begin with behaviour that tells of its task. A strong entropy bonus pulls every task towards the same scatter: do the groups that tell most against it, kept alone, hold on to what behaviour tells?',
  experiment: {
    ...fiveByFive,
    preset: 'template-collapse',
    title: 'Does behaviour still tell of its task?',
    updates: 100,
    informationEpisodes: 4,
    warmStart: { ...baseExperiment.warmStart, updates: 60 },
    arms: [
      { ...taught, id: 'weak-bonus', name: 'Weak bonus', entropyCoefficient: 0.001 },
      { ...taught, id: 'strong-bonus', name: 'Strong bonus' },
      {
        ...taught,
        id: 'filtered',
        name: 'Strong bonus, filtered groups',
        objective: 'ragen-2',
        groupFilter: 'variance-mass',
        groupFilterShare: 0.9,
      },
    ],
  },
};
