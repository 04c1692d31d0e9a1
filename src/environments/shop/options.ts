/** Settings of the shop: their declarations, and their values. */
import { type Decoding, decodingSettings, readDecoding, readerOf } from '../decoding';
import type { EnvironmentSetting, EnvironmentSettings } from '../environment';
import { instancesSetting, MOST_INSTANCES } from '../instances';
import { FIXED_CATALOGUE, MOST_PRODUCTS } from './catalogue';
import { REWARDS, type RewardKind } from './instruction';

const hasPages = ({ mode }: EnvironmentSettings): boolean => mode === 'pages';

export const SHOP_SETTINGS: readonly EnvironmentSetting[] = [
  {
    key: 'mode',
    label: 'Shop',
    help: 'Simple: results are ids, and products have a type, a colour and a price. Pages: ranked results on several pages, features, and sizes to choose before buying.',
    type: 'choice',
    default: 'simple',
    choices: ['simple', 'pages'],
  },
  {
    key: 'catalogue',
    label: 'Catalogue',
    help: 'Fixed: the same products in every episode and every run, so that they can be learned. Fresh: other products in each task, so that nothing seen carries over.',
    type: 'choice',
    default: 'fixed',
    choices: ['fixed', 'fresh'],
  },
  {
    key: 'catalogueNumber',
    label: 'Catalogue number',
    help: 'Which fixed catalogue; its products are drawn from this number.',
    type: 'integer',
    default: FIXED_CATALOGUE,
    min: 0,
    max: MOST_INSTANCES - 1,
    isRelevant: ({ catalogue }) => catalogue === 'fixed',
  },
  instancesSetting('catalogue', ({ catalogue }) => catalogue === 'fixed'),
  {
    key: 'products',
    label: 'Products',
    help: 'How many products the catalogue has; each has an id that is a token of its own.',
    type: 'integer',
    default: 40,
    min: 4,
    max: MOST_PRODUCTS,
  },
  {
    key: 'reward',
    label: 'Reward',
    help: 'Strict: 1 if everything asked for is met, else 0. Shares: share of what matches, at right type and price. Webshop: right type times the share of attributes, options and price that match.',
    type: 'choice',
    default: 'strict',
    choices: REWARDS,
  },
  {
    key: 'horizon',
    label: 'Horizon',
    help: 'Turns after which an episode ends without a purchase; pages need about 8.',
    type: 'integer',
    default: 4,
    min: 2,
    max: 16,
  },
  {
    key: 'holdOut',
    label: 'Hold out instructions',
    help: 'Keeps the instructions for a fifth of the pairs of type and colour out of training, for a test on instructions never practised.',
    type: 'boolean',
    default: false,
  },
  {
    key: 'features',
    label: 'Features asked for',
    help: 'Features an instruction names besides type and colour; only in a shop with pages.',
    type: 'integer',
    default: 1,
    min: 0,
    max: 2,
    isRelevant: hasPages,
  },
  {
    key: 'size',
    label: 'Size asked for',
    help: 'Whether an instruction names a size, to be chosen before buying; only in a shop with pages.',
    type: 'boolean',
    default: true,
    isRelevant: hasPages,
  },
  ...decodingSettings,
];

export interface ShopOptions {
  readonly pages: boolean;
  readonly fresh: boolean;
  /** Seed of the fixed catalogue. */
  readonly catalogue: number;
  readonly products: number;
  readonly reward: RewardKind;
  readonly horizon: number;
  readonly holdOut: boolean;
  readonly features: number;
  readonly size: boolean;
  readonly decoding: Decoding;
}

export function shopOptions(settings: EnvironmentSettings): ShopOptions {
  const value = readerOf(SHOP_SETTINGS, settings);
  return {
    pages: value('mode') === 'pages',
    fresh: value('catalogue') === 'fresh',
    catalogue: Number(value('catalogueNumber')),
    products: Number(value('products')),
    reward: REWARDS.find((kind) => kind === value('reward')) ?? 'strict',
    horizon: Number(value('horizon')),
    holdOut: Boolean(value('holdOut')),
    features: Number(value('features')),
    size: Boolean(value('size')),
    decoding: readDecoding(settings),
  };
}
