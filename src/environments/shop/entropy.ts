/**
 * How uncertain a product of a fresh catalogue is before it is opened. Products are independent and uniform over
 * N = types × colours × prices, save one, the target the instruction was made from, which has the type and the colour asked
 * for and costs the cap or one less, alike. Which product that is, is uniform beforehand; opening a product tells.
 */
import { COLOUR_MASK, COLOURS, PRICES, type Shelves, TYPE_MASK, TYPES } from './catalogue';

const CELLS = TYPES.length * COLOURS.length * PRICES;

/**
 * Entropy in nats of (type, colour, price) of a product not opened yet, given the instruction at `task[at…]` and the
 * products opened. With m prices possible for the target, a seen product is it with odds r = (N / m)·[it matches] against
 * an unseen one; so an unseen one is the target with probability q = 1 / (unseen + Σ r), and its
 * m matching cells have probability q/m + (1 − q)/N each, the others (1 − q)/N.
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
