/** Web shops: a catalogue that can be learned, and one that is new in every task. */
import type { Arm } from '../../experiment';
import { actionMask, baseExperiment, environmentOf, type Preset, worldModelOf } from '../preset';

const buyer: Arm = { ...actionMask, entropyCoefficient: 0.03 };

export const shop: Preset = {
  id: 'shop',
  claim: 'With settings found by hand, the world model bought sooner what it trains on.',
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
    'In a shop that is new in every task there is no catalogue to know beforehand: does predicting its pages help?',
  finding: 'one-catalogue-or-fresh',
  experiment: {
    ...shop.experiment,
    preset: 'shop-fresh',
    title: 'A new shop every time',
    environment: environmentOf('shop', { catalogue: 'fresh', products: 24 }),
  },
};

export const shopPages: Preset = {
  id: 'shop-pages',
  claim: 'Does foreseeing the next page help to find one’s way through a shop with pages?',
  experiment: {
    ...shop.experiment,
    preset: 'shop-pages',
    title: 'A shop with pages',
    environment: environmentOf('shop', { mode: 'pages', horizon: 10, products: 16, size: false }),
  },
};
