/** Several worlds for one policy. */
import { actionMask, baseExperiment, environmentOf, type Preset, worldModel } from './preset';

export const mixture: Preset = {
  id: 'mixture',
  claim:
    'One policy that had to do well in several worlds at once found its way in a gridworld and in a shop earlier ' +
    'where it predicted what they answer.',
  expectation:
    'The gridworld, the calculator and the web shop, about eight tasks of each an update. Four seeds of 300 updates: ' +
    'over the last 20 the world-model arm succeeded in 51% to 59% of all episodes, the action-mask arm in 19% to 24%. ' +
    'World by world: 73% to 90% against 19% to 29% in the gridworld, 57% to 72% against 18% to 30% in the shop. With ' +
    'the calculator neither had learned much, 14% to 26% against 14% to 20%: one success rate for all hides what the ' +
    'charts of each world show. Nothing was searched, and nothing is claimed of what one world teaches for another: none was trained alone ' +
    'beside this.',
  experiment: {
    ...baseExperiment,
    preset: 'mixture',
    title: 'Three worlds, one policy',
    environment: environmentOf('mixture', { shop: 1 }),
    batch: { groups: 24, groupSize: 8 },
    arms: [actionMask, worldModel],
  },
};
