/** Several worlds for one policy. */
import { actionMask, baseExperiment, environmentOf, type Preset, worldModel } from '../preset';

export const mixture: Preset = {
  id: 'mixture',
  claim:
    'Does one policy that has to do well in several worlds at once learn them sooner where it predicts what they ' +
    'answer?',
  experiment: {
    ...baseExperiment,
    preset: 'mixture',
    title: 'Three worlds, one policy',
    environment: environmentOf('mixture', { shop: 1 }),
    batch: { groups: 24, groupSize: 8 },
    arms: [actionMask, worldModel],
  },
};
