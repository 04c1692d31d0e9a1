/**
 * A web shop after WebShop (Yao et al. 2022, arXiv 2207.01206), small enough to learn from fresh weights: an instruction, a
 * catalogue to search, a product to find and buy. Two versions share the catalogue and the reward: simple.ts without pages,
 * and pages.ts.
 */
import type { EnvironmentDefinition } from '../environment';
import { withInstances } from '../instances';
import { SHOP_SETTINGS, shopOptions } from './options';
import { PagedShop } from './pages';
import { SimpleShop } from './simple';

export const shop: EnvironmentDefinition = {
  id: 'shop',
  title: 'Web shop',
  summary: 'Find and buy a product that is what the customer asked for and costs no more than allowed.',
  settings: SHOP_SETTINGS,
  instanceKey: 'catalogueNumber',
  create: (settings) =>
    withInstances(shop, settings, (own) => {
      const options = shopOptions(own);
      return options.pages ? new PagedShop(options) : new SimpleShop(options);
    }),
};
