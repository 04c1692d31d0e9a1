/** Several worlds for one policy. */
import { actionMask, baseExperiment, environmentOf, type Preset, worldModel } from './preset';

export const mixture: Preset = {
  id: 'mixture',
  claim:
    'One policy that has to do well in three worlds at once does so earlier in each where it predicts their answers.',
  expectation: 'To be measured.',
  experiment: {
    ...baseExperiment,
    preset: 'mixture',
    title: 'Three worlds, one policy',
    environment: environmentOf('mixture', { shop: 1 }),
    batch: { groups: 24, groupSize: 8 },
    arms: [actionMask, worldModel],
  },
};
