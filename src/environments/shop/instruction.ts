/**
 * Instructions of customers, and the reward of purchases. An instruction is made from a product of the catalogue, so it can
 * always be met. The task is [catalogue number, words required, size required, highest price allowed].
 *
 * Held-out instructions are those with (type + colour) mod 5 = 0, a fifth of the pairs. Training sees every type and every
 * colour, but never these pairs.
 */
import type { RandomStream } from '../../foundation/philox';
import type { Split } from '../environment';
import {
  COLOUR_MASK,
  countBits,
  FEATURE_MASK,
  FIRST_COLOUR,
  firstWord,
  LARGE,
  type Shelves,
  SIZE_MASK,
  TYPE_MASK,
} from './catalogue';
import { priceWord } from './shopWords';

export const REWARDS = ['strict', 'shares', 'webshop'] as const;
export type RewardKind = (typeof REWARDS)[number];

export interface InstructionOptions {
  readonly fresh: boolean;
  /** Number of the fixed catalogue. */
  readonly catalogue: number;
  readonly holdOut: boolean;
  readonly reward: RewardKind;
  /** Features named in an instruction, 0 … 2. */
  readonly features: number;
  /** True if an instruction names a size, which has to be chosen before buying. */
  readonly size: boolean;
  /** True if a wrong type is one wrong attribute among others; otherwise such a purchase is worth nothing. */
  readonly typeIsAttribute: boolean;
}

/** Fresh catalogues have numbers 1 … 2^30 − 1. */
const CATALOGUES = 2 ** 30;

export function isHeldOut(words: number): boolean {
  return (firstWord(words & TYPE_MASK) + firstWord(words & COLOUR_MASK) - FIRST_COLOUR) % 5 === 0;
}

/** Price of a product in a size (0 for none); large costs one more. */
export function priceOf(shelves: Shelves, product: number, size: number): number {
  return shelves.price[product] + (size === LARGE ? 1 : 0);
}

/** Price of a product in a size, as shown. */
export function shownPrice(shelves: Shelves, product: number, size: number): string {
  return priceWord(priceOf(shelves, product, size));
}

/** One bit of a mask, uniform. */
function drawOne(random: RandomStream, mask: number): number {
  let rest = mask;
  for (let skip = random.below(countBits(mask)); skip > 0; skip--) rest &= rest - 1;
  return rest & -rest;
}

/** Draws instructions until one belongs to the split. `shelves` has room for the one catalogue in question. */
export function drawInstruction(
  random: RandomStream,
  shelves: Shelves,
  options: InstructionOptions,
  split: Split,
): Int32Array {
  for (;;) {
    const catalogue = options.fresh ? 1 + random.below(CATALOGUES - 1) : options.catalogue;
    if (options.fresh) shelves.stock(0, catalogue);
    const product = random.below(shelves.products);
    const all = shelves.words[product];
    if (options.holdOut && isHeldOut(all) !== (split === 'held-out')) continue;
    let words = all & (TYPE_MASK | COLOUR_MASK);
    while (countBits(words & FEATURE_MASK) < options.features) words |= drawOne(random, all & FEATURE_MASK);
    const size = options.size ? drawOne(random, all & SIZE_MASK) : 0;
    const cap = priceOf(shelves, product, size) + random.below(2);
    return Int32Array.of(catalogue, words, size, cap);
  }
}

/**
 * The instruction nearest to `task` that buying a product in a size (0 for none) meets. It names features of the old
 * instruction that the product has, then the product's first ones; its price is the old one, moved into the range that
 * instructions for this product have. Null where training never draws one: a held-out pair, or no size where one is named.
 */
export function instructionMetBy(
  shelves: Shelves,
  product: number,
  size: number,
  task: ArrayLike<number>,
  options: InstructionOptions,
): Int32Array | null {
  const all = shelves.words[product];
  if ((options.holdOut && isHeldOut(all)) || (options.size && size === 0)) return null;
  const asked = task[1] & FEATURE_MASK;
  let words = all & (TYPE_MASK | COLOUR_MASK | asked);
  while (countBits(words & FEATURE_MASK) < options.features) {
    const further = all & FEATURE_MASK & ~words;
    words |= further & -further;
  }
  const wantedSize = options.size ? size : 0;
  const dearest = priceOf(shelves, product, wantedSize) + 1;
  const cap = Math.min(Math.max(task[3], priceOf(shelves, product, size)), dearest);
  return Int32Array.of(task[0], words, wantedSize, cap);
}

/** True if the catalogue has products for both sides of the split. */
export function canHoldOut(shelves: Shelves): boolean {
  const sides = new Set<boolean>();
  for (let product = 0; product < shelves.products; product++) {
    sides.add(isHeldOut(shelves.words[product]));
  }
  return sides.size === 2;
}

/** True if a product in a size has everything asked for, at an allowed price. */
export function meets(shelves: Shelves, product: number, size: number, task: ArrayLike<number>, at: number): boolean {
  const wanted = task[at + 1];
  const wantedSize = task[at + 2];
  const isWanted = (shelves.words[product] & wanted) === wanted;
  return isWanted && (wantedSize === 0 || size === wantedSize) && priceOf(shelves, product, size) <= task[at + 3];
}

/**
 * The reward of buying a product in a size, 0 … 1; the instruction stands at `task[at…]`.
 *
 * - strict: 1 if everything asked for is met, else 0.
 * - shares: share of attributes and options that match × [right type] × [price not above the cap].
 * - webshop: the reward of WebShop (Yao et al. 2022, arXiv 2207.01206): [right type] × (matching attributes + matching
 *   options + [price not above the cap]) / (attributes + options + 1). In WebShop a type can match partly, here not.
 */
export function scoreOf(
  shelves: Shelves,
  product: number,
  size: number,
  task: ArrayLike<number>,
  at: number,
  { reward, typeIsAttribute }: InstructionOptions,
): number {
  if (reward === 'strict') return meets(shelves, product, size, task, at) ? 1 : 0;
  const wanted = task[at + 1];
  const words = shelves.words[product];
  const wantedSize = task[at + 2];
  const isCheap = priceOf(shelves, product, size) <= task[at + 3] ? 1 : 0;
  const isType = (words & wanted & TYPE_MASK) !== 0 ? 1 : 0;
  const counted = reward === 'shares' && typeIsAttribute ? wanted : wanted & ~TYPE_MASK;
  const asked = countBits(counted) + (wantedSize === 0 ? 0 : 1);
  const matching = countBits(words & counted) + (wantedSize !== 0 && size === wantedSize ? 1 : 0);
  if (reward === 'webshop') return (isType * (matching + isCheap)) / (asked + 1);
  return (typeIsAttribute ? 1 : isType) * isCheap * (matching / asked);
}
