/** ActObs (arXiv 2609.20715): what a warm start learns from, and what reinforcement makes of it. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, smallPolicy } from '../preset';

const armFrom = (warmStart: Arm['warmStart'], name: string): Arm => ({ ...actionMask, id: warmStart, name, warmStart });

export const actObs: Preset = {
  id: 'actobs',
  claim:
    'Before the same masked reinforcement, four starts: none, demonstrations’ actions, actions and observations, or observations first and actions after. Does what was learned of observations matter later, to one success or to one in sixteen?',
  experiment: {
    ...baseExperiment,
    preset: 'actobs',
    title: 'ActObs: what to imitate before reinforcement',
    updates: 100,
    environment: environmentOf('terminal', { files: 2, content: 4, horizon: 4 }),
    policy: smallPolicy,
    batch: { groups: 8, groupSize: 16 },
    evaluation: { every: 50, tasks: 32, toolEvery: 0 },
    warmStart: { ...baseExperiment.warmStart, updates: 60, measureEvery: 15 },
    arms: [
      { ...actionMask, id: 'no-start', name: 'No warm start' },
      armFrom('actions', 'Actions'),
      armFrom('actions-and-observations', 'ActObs'),
      armFrom('observations-then-actions', 'Observations, then actions'),
    ],
  },
};
