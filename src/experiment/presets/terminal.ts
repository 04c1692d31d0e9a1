/** The terminal: a disk that has to be looked at. */
import { baseExperiment, environmentOf, type Preset } from './preset';

export const terminal: Preset = {
  id: 'terminal',
  claim: 'On a disk that is new in every task, the searched contest found no gain.',
  expectation:
    'Two files with a few words each; those with a given word have to be deleted, so they must be looked at first. ' +
    'Sixteen seeds of each arm, each at the settings of its own search: area under the success curve 0.54 for the ' +
    'world model and 0.56 for the action mask, −0.02 (95% interval −0.05 to +0.01). What a file holds is chance to ' +
    'anyone: the cross-entropy’s floor is what is left of it. The settings here were found by hand, and nothing is ' +
    'recorded at them.',
  finding: 'best-against-best',
  experiment: {
    ...baseExperiment,
    preset: 'terminal',
    title: 'A shell of its own',
    updates: 400,
    environment: environmentOf('terminal', { files: 2, content: 4, horizon: 4 }),
  },
};
