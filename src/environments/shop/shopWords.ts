/** Words for products and prices (ids tell nothing about products), and the pages of the shop with pages. */
export const PAGE = { search: 0, results: 1, item: 2, bought: 3 } as const;

export function productWord(product: number): string {
  return `p${String(product + 1).padStart(2, '0')}`;
}

export function priceWord(price: number): string {
  return `$${price}`;
}

export function productWords(products: number): string[] {
  return Array.from({ length: products }, (_, product) => productWord(product));
}

/** Prices from 0 to the dearest. */
export function priceWords(dearest: number): string[] {
  return Array.from({ length: dearest + 1 }, (_, price) => priceWord(price));
}
