/** The terminal: a disk that has to be looked at. */
import { baseExperiment, environmentOf, type Preset } from '../preset';

export const terminal: Preset = {
  id: 'terminal',
  claim: 'On a disk that is new in every task, the searched contest found no gain.',
  finding: 'best-against-best',
  experiment: {
    ...baseExperiment,
    preset: 'terminal',
    title: 'A shell of its own',
    updates: 400,
    environment: environmentOf('terminal', { files: 2, content: 4, horizon: 4 }),
  },
};
