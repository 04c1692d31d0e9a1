/**
 * Catalogues of the shop. A product is a price and a set of words (type, colour, two features, two sizes), kept as a bit
 * mask over WORDS; a search is a mask too. One catalogue is the same in all runs; the others are drawn from their numbers.
 */
import { RandomStream } from '../../foundation/philox';
import type { WordKinds } from '../wordKinds';

export const TYPES = ['lamp', 'chair', 'mug', 'tent', 'clock'] as const;
export const COLOURS = ['red', 'blue', 'green', 'white'] as const;
const FEATURES = ['folding', 'quiet', 'washable', 'wooden', 'bright', 'sturdy'] as const;
export const SIZES = ['small', 'medium', 'large'] as const;

/** All words that products can be found by, in the order of the bits. */
export const WORDS = [...TYPES, ...COLOURS, ...FEATURES, ...SIZES] as const;
export const TYPES_AND_COLOURS: WordKinds = [
  ['types', TYPES],
  ['colours', COLOURS],
];
export const WORD_KINDS: WordKinds = [...TYPES_AND_COLOURS, ['features', FEATURES], ['sizes', SIZES]];

export const FIRST_COLOUR = TYPES.length;
const FIRST_FEATURE = FIRST_COLOUR + COLOURS.length;
export const FIRST_SIZE = FIRST_FEATURE + FEATURES.length;
export const LARGE = 1 << (FIRST_SIZE + SIZES.indexOf('large'));

const maskOf = (first: number, count: number): number => ((1 << count) - 1) << first;
export const TYPE_MASK = maskOf(0, TYPES.length);
export const COLOUR_MASK = maskOf(FIRST_COLOUR, COLOURS.length);
export const FEATURE_MASK = maskOf(FIRST_FEATURE, FEATURES.length);
export const SIZE_MASK = maskOf(FIRST_SIZE, SIZES.length);

/** Number of prices, 0 … PRICES − 1; a large size adds one. */
export const PRICES = 6;
/** Largest number of products of a catalogue; keys of the ranking have six bits for them. */
export const MOST_PRODUCTS = 60;
/** Number of the catalogue that is the same in all runs, unless the settings say another. */
export const FIXED_CATALOGUE = 0;

/** Index of the lowest word of a mask; −1 for none. */
export function firstWord(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

/** The words of a mask, in order. */
export function wordsOf(mask: number): string[] {
  return WORDS.filter((_, bit) => (mask & (1 << bit)) !== 0);
}

export function countBits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Mask with `count` of the `of` bits from `first` on, uniform. */
function drawSome(random: RandomStream, first: number, of: number, count: number): number {
  let mask = 0;
  while (countBits(mask) < count) mask |= 1 << (first + random.below(of));
  return mask;
}

/** Several catalogues of the same size, [catalogues, products] flat. */
export class Shelves {
  readonly products: number;
  /** Words of each product, as a mask. */
  readonly words: Int32Array;
  readonly price: Uint8Array;

  constructor(catalogues: number, products: number) {
    this.products = products;
    this.words = new Int32Array(catalogues * products);
    this.price = new Uint8Array(catalogues * products);
  }

  /** Fills the shelf that begins at `base` with a catalogue; every product is independent and uniform. */
  stock(base: number, catalogue: number): void {
    const random = new RandomStream(0x73686f70, 0, catalogue, 0, 0);
    for (let product = base; product < base + this.products; product++) {
      const type = 1 << random.below(TYPES.length);
      const colour = 1 << (FIRST_COLOUR + random.below(COLOURS.length));
      this.price[product] = random.below(PRICES);
      const features = drawSome(random, FIRST_FEATURE, FEATURES.length, 2);
      const sizes = drawSome(random, FIRST_SIZE, SIZES.length, 2);
      this.words[product] = type | colour | features | sizes;
    }
  }

  /**
   * Key of the next result of a search after the one with key `after` (−1 for the first); −1 when there are no more. Results
   * are ranked by matching words, then by price, then by number. A key is these three in one integer.
   */
  nextResult(base: number, query: number, after: number): number {
    let best = -1;
    for (let product = 0; product < this.products; product++) {
      const matching = countBits(this.words[base + product] & query);
      if (matching === 0) continue;
      const key = (((31 - matching) << 4) | this.price[base + product]) * 64 + product;
      if (key > after && (best === -1 || key < best)) best = key;
    }
    return best;
  }
}

/** Product of a ranking's key. */
export function productOf(key: number): number {
  return key & 63;
}
