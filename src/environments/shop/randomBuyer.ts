/**
 * Success rate of a buyer who picks every action at random in the simple shop, exactly. Of n products g meet the
 * instruction, and there are searches + n + 1 actions. All that matters is whether the product opened last is one of the g.
 */
import { COLOUR_MASK, COLOURS, PRICES, type Shelves, TYPE_MASK, TYPES } from './catalogue';
import { isHeldOut } from './instruction';

const SEARCHES = TYPES.length + COLOURS.length;

/** Probability of buying one of `good` products among `products` within the horizon. */
function chance(good: number, products: number, horizon: number): number {
  const actions = SEARCHES + products + 1;
  const [open, buy] = [good / actions, 1 / actions];
  const other = (products - good) / actions;
  // Probability of success with `left` turns to go: without a good product open, and with one.
  let [without, having] = [0, 0];
  for (let left = 0; left < horizon; left++) {
    [without, having] = [
      open * having + (1 - open - buy) * without,
      buy + (1 - buy - other) * having + other * without,
    ];
  }
  return without;
}

/** Success rate, mean over the training instructions of a catalogue. */
export function randomSuccess(shelves: Shelves, horizon: number, holdOut: boolean): number {
  const { products, words, price } = shelves;
  const kind = (product: number): number => words[product] & (TYPE_MASK | COLOUR_MASK);
  let [total, instructions] = [0, 0];
  for (let target = 0; target < products; target++) {
    if (holdOut && isHeldOut(words[target])) continue;
    for (let spare = 0; spare < 2; spare++) {
      const cap = price[target] + spare;
      let good = 0;
      for (let product = 0; product < products; product++) {
        if (kind(product) === kind(target) && price[product] <= cap) good += 1;
      }
      total += chance(good, products, horizon);
      instructions += 1;
    }
  }
  return total / instructions;
}

/**
 * Success rate of a random buyer with `horizon` turns, mean over fresh catalogues: each product but the target is good with
 * probability q, independently.
 */
export function freshRandomSuccess(products: number, horizon: number): number {
  let total = 0;
  for (let price = 0; price < PRICES; price++) {
    for (let spare = 0; spare < 2; spare++) {
      const q = Math.min(PRICES, price + spare + 1) / (TYPES.length * COLOURS.length * PRICES);
      let binomial = (1 - q) ** (products - 1);
      for (let others = 0; others < products; others++) {
        total += (binomial * chance(1 + others, products, horizon)) / (2 * PRICES);
        binomial *= ((products - 1 - others) / (others + 1)) * (q / (1 - q));
      }
    }
  }
  return total;
}
