/** Words, tokens and legal sets of the shop with pages. */
import { MALFORMED_WORD } from '../decoding';
import { MARKS, type WordKinds } from '../wordKinds';
import { FIRST_SIZE, PRICES, SIZES, WORD_KINDS, WORDS } from './catalogue';
import { priceWords, productWords } from './shopWords';

/** Results on a page. */
export const SHOWN = 3;
/** Highest price word: the dearest product, one more for a large one, one more as the cap. */
const DEAREST = PRICES + 1;
const PLACES = ['first', 'second', 'third'] as const;
const KINDS_BEFORE_PRODUCTS: WordKinds = [
  MARKS,
  ...WORD_KINDS,
  ['clicks', ['buy', 'back', 'next', ...PLACES]],
  ['names of pages', ['search', 'results', 'item']],
  ['ends of lists', ['more', 'end']],
  ['refusals', ['unavailable']],
  ['complaints', [MALFORMED_WORD]],
  ['prices', priceWords(DEAREST)],
];
const BEFORE_PRODUCTS: readonly string[] = KINDS_BEFORE_PRODUCTS.flatMap(([, words]) => words);

export function pageWords(products: number): WordKinds {
  return [...KINDS_BEFORE_PRODUCTS, ['product ids', productWords(products)]];
}

const token = (word: string): number => BEFORE_PRODUCTS.indexOf(word);

export const BOS = token('<bos>');
export const FIRST_WORD = token(WORDS[0]);
export const BUY = token('buy');
export const BACK = token('back');
export const NEXT = token('next');
export const PLACE = token('first');
export const SEARCH = token('search');
export const RESULTS = token('results');
export const ITEM = token('item');
export const MORE = token('more');
export const END = token('end');
export const UNAVAILABLE = token('unavailable');
export const MALFORMED = token(MALFORMED_WORD);
export const FIRST_PRICE = token('$0');
export const FIRST_PRODUCT = BEFORE_PRODUCTS.length;

/** Legal set 1: search; 2 … 11: results, by (number shown, more of them, query full); 12: a product. */
export const SEARCH_SET = 1;
export const PRODUCT_SET = 12;

export function resultsSet(shown: number, hasMore: boolean, isFull: boolean): number {
  return 2 + 2 * (hasMore ? SHOWN + 1 : shown) + (isFull ? 1 : 0);
}

/** Legal sets in the order of their numbers, from 1. */
export function legalSets(): number[][] {
  const words = WORDS.map((_, word) => FIRST_WORD + word);
  const sets = [words];
  for (const [shown, hasMore] of [...[0, 1, 2, 3].map((count) => [count, false] as const), [SHOWN, true] as const]) {
    const places = PLACES.slice(0, shown).map((_, place) => PLACE + place);
    const clicks = [BACK, ...(hasMore ? [NEXT] : []), ...places];
    sets.push([...words, ...clicks], clicks);
  }
  return [...sets, [BUY, BACK, ...SIZES.map((_, size) => FIRST_WORD + FIRST_SIZE + size)]];
}
