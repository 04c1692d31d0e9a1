/** Web shops: a catalogue that can be learned, and one that is new in every task. */
import type { Arm } from '../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, worldModelOf } from './preset';

const buyer: Arm = { ...actionMask, entropyCoefficient: 0.03 };

export const shop: Preset = {
  id: 'shop',
  claim:
    'In a shop whose catalogue stays, predicting its pages is learning the catalogue, and the rare purchase comes sooner.',
  expectation: 'To be measured.',
  experiment: {
    ...baseExperiment,
    preset: 'shop',
    title: 'Does reading the catalogue pay?',
    environment: environmentOf('shop'),
    arms: [buyer, worldModelOf(buyer, 0.2)],
  },
};

export const shopFresh: Preset = {
  id: 'shop-fresh',
  claim:
    'In a shop that is new in every task there is nothing to know beforehand, and predicting its pages gains nothing.',
  expectation: 'To be measured.',
  experiment: {
    ...shop.experiment,
    preset: 'shop-fresh',
    title: 'A new shop every time',
    environment: environmentOf('shop', { catalogue: 'fresh', products: 24 }),
  },
};
