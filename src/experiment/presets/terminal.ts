/** The terminal: a disk that has to be looked at. */
import { baseExperiment, environmentOf, type Preset } from './preset';

export const terminal: Preset = {
  id: 'terminal',
  claim:
    'On a disk that is new in every task, the searched contest found no gain; four seeds by hand, below, suggested one.',
  expectation:
    'Two files with a few words each; those with a given word have to be deleted, so they must be looked at first. Four ' +
    'seeds of 400 updates: the world model ended at 62% (51% to 69%), the action mask at 50% (46% to 53%); area under the ' +
    'curve 0.53 (0.47 to 0.60) and 0.47 (0.46 to 0.48). Both passed half of the tasks after 50 to 110 updates. What a file holds is chance to anyone: the ' +
    'cross-entropy’s floor is what is left of it. Four seeds do not settle a difference of this size.',
  experiment: {
    ...baseExperiment,
    preset: 'terminal',
    title: 'A shell of its own',
    updates: 400,
    environment: environmentOf('terminal', { files: 2, content: 4, horizon: 4 }),
  },
};
