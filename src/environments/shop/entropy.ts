/**
 * Entropy of a product of a fresh catalogue before it is opened. Products are independent and uniform over
 * N = types × colours × prices, except the target that the instruction was made from: it has the type and colour asked for
 * and costs the cap or one less, with equal probability. The target's number is uniform before any product is opened.
 */
import { COLOUR_MASK, COLOURS, PRICES, type Shelves, TYPE_MASK, TYPES } from './catalogue';

const CELLS = TYPES.length * COLOURS.length * PRICES;

/**
 * Entropy of (type, colour, price) of a product not opened yet, nats, given the instruction at `task[at…]` and the products
 * opened. Let m be the number of prices possible for the target. The odds of a seen product to be the target, against an
 * unseen one, are r = (N / m)·[it matches]. So an unseen product is the target with probability q = 1 / (unseen + Σ r). Its
 * m matching cells then have probability q/m + (1 − q)/N each, the others (1 − q)/N.
 */
export function unseenProductEntropy(
  shelves: Shelves,
  base: number,
  task: ArrayLike<number>,
  at: number,
  hasSeen: (product: number) => boolean,
): number {
  const wanted = task[at + 1];
  const cap = task[at + 3];
  const isPossible = (price: number): boolean => price >= 0 && price < PRICES && cap - price >= 0 && cap - price <= 1;
  const m = (isPossible(cap) ? 1 : 0) + (isPossible(cap - 1) ? 1 : 0);
  let odds = 0;
  for (let product = 0; product < shelves.products; product++) {
    if (!hasSeen(product)) {
      odds += 1;
      continue;
    }
    const words = shelves.words[base + product] & (TYPE_MASK | COLOUR_MASK);
    if (words === wanted && isPossible(shelves.price[base + product])) odds += CELLS / m;
  }
  const target = 1 / odds;
  const other = (1 - target) / CELLS;
  const matching = target / m + other;
  const term = (p: number): number => (p > 0 ? -p * Math.log(p) : 0);
  return m * term(matching) + (CELLS - m) * term(other);
}
