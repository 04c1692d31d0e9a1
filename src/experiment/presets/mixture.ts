/** Several worlds for one policy. */
import { actionMask, baseExperiment, environmentOf, type Preset, worldModel } from './preset';

export const mixture: Preset = {
  id: 'mixture',
  claim:
    'Does one policy that has to do well in several worlds at once learn them sooner where it predicts what they ' +
    'answer?',
  expectation:
    'The gridworld, the calculator and the web shop, about eight tasks of each an update. One success rate for all ' +
    'hides what the charts of each world show. Nothing was searched, nothing is recorded, and nothing can be ' +
    'concluded on what one world teaches for another: none is trained alone beside this.',
  experiment: {
    ...baseExperiment,
    preset: 'mixture',
    title: 'Three worlds, one policy',
    environment: environmentOf('mixture', { shop: 1 }),
    batch: { groups: 24, groupSize: 8 },
    arms: [actionMask, worldModel],
  },
};
