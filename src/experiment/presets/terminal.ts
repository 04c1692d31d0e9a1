/** Terminals: a disk that has to be looked at, and one that can be learned. */
import { baseExperiment, environmentOf, type Preset } from './preset';

export const terminal: Preset = {
  id: 'terminal',
  claim: 'What predicting the shell’s answers does for an agent that works in a terminal.',
  expectation: 'To be measured.',
  experiment: {
    ...baseExperiment,
    preset: 'terminal',
    title: 'A shell of its own',
    updates: 400,
    environment: environmentOf('terminal', { files: 2, content: 4, horizon: 4 }),
  },
};
