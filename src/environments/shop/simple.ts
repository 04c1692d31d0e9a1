/**
 * The simple shop, with only ids in its results; every action is one token. The prompt is `<bos> type colour cap none`. The
 * agent searches for a type or a colour and is told the ids of the three cheapest matches; or it opens a product by its id
 * and is told type, colour and price; or it buys the product opened last, which ends the episode.
 */
import { MALFORMED_WORD } from '../decoding';
import type { Emission, Environment, WorldSlots } from '../environment';
import { actionsOf, replay } from '../replay';
import type { Scene } from '../scene';
import { MARKS, type WordKinds } from '../wordKinds';
import {
  COLOUR_MASK,
  COLOURS,
  firstWord,
  PRICES,
  productOf,
  type Shelves,
  TYPE_MASK,
  TYPES,
  TYPES_AND_COLOURS,
} from './catalogue';
import { unseenProductEntropy } from './entropy';
import { type InstructionOptions, instructionMetBy } from './instruction';
import type { ShopOptions } from './options';
import { freshRandomSuccess, randomSuccess } from './randomBuyer';
import { simpleScenes } from './scenes';
import { priceWords, productWords } from './shopWords';
import { ShopSlots, TASK } from './slots';
import { StockedShop } from './stocked';

const BOS = 1;
const SHOWN = 3;
/** Search words are the types, then the colours. */
const SEARCHES = TYPES.length + COLOURS.length;
const FIRST_SEARCH = 2;
const BUY = FIRST_SEARCH + SEARCHES;
const NONE = BUY + 1;
const MALFORMED = NONE + 1;
/** First price word; there is one more than prices of products, for caps. */
const FIRST_PRICE = MALFORMED + 1;
const FIRST_PRODUCT = FIRST_PRICE + PRICES + 1;

export class SimpleShop extends StockedShop implements Environment {
  readonly context: number;
  readonly asks =
    'Buy a product of this type and colour that costs no more than this. A type or a colour shows the ids of the three cheapest of it, an id shows that product, buy buys the one shown last and ends the episode.';
  readonly maxObservationTokens = SHOWN;
  readonly legalSets: readonly (readonly number[])[];
  #randomSuccess: number | null = null;

  constructor(options: ShopOptions) {
    const ids = productWords(options.products);
    const words: WordKinds = [
      MARKS,
      ...TYPES_AND_COLOURS,
      ['clicks', ['buy']],
      ['“none”', ['none']],
      ['complaints', [MALFORMED_WORD]],
      ['prices', priceWords(PRICES)],
      ['product ids', ids],
    ];
    super(options, words, { features: 0, size: false, typeIsAttribute: true });
    this.context = 5 + options.horizon * (1 + SHOWN);
    const searches = Array.from({ length: SEARCHES + 1 }, (_, word) => FIRST_SEARCH + word);
    this.legalSets = [[...searches, ...ids.map((_, product) => FIRST_PRODUCT + product)]];
  }

  get randomSuccess(): number {
    const { fresh, horizon, products } = this.options;
    this.#randomSuccess ??= fresh
      ? freshRandomSuccess(products, horizon)
      : randomSuccess(this.shelves, horizon, this.hasHeldOut);
    return this.#randomSuccess;
  }

  hindsight(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): Int32Array | null {
    const world = this.createWorld(1);
    replay(world, task, tokens, roles);
    const product = world.opened[0];
    if (!world.isBought(0) || product === -1) return null;
    return instructionMetBy(world.shelves, product, 0, task, this.instruction);
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    return simpleScenes(this.createWorld(1), this.words, task, actionsOf(tokens, roles));
  }

  createWorld(slots: number): SimpleShopSlots {
    return new SimpleShopSlots(slots, this.shelvesOf(slots), this.options, this.instruction);
  }
}

/**
 * Floors are 0 in the fixed catalogue, which can be known. In a fresh one they are exact for opening products before any search, and
 * NaN for a new search, and for new products after one: given rankings, all products depend on each other, and the posterior is not
 * computed.
 */
export class SimpleShopSlots extends ShopSlots implements WorldSlots {
  readonly #bought: Uint8Array;
  /** Products opened (64 bits a slot) and searches made (bits), for the entropy floor. */
  readonly #seen: Uint32Array;
  readonly #searched: Uint16Array;

  constructor(slots: number, shelves: Shelves, options: ShopOptions, instruction: InstructionOptions) {
    super(slots, shelves, options, instruction);
    this.#bought = new Uint8Array(slots);
    this.#seen = new Uint32Array(2 * slots);
    this.#searched = new Uint16Array(slots);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.begin(slot, task);
    this.#bought[slot] = 0;
    this.#seen.fill(0, 2 * slot, 2 * slot + 2);
    this.#searched[slot] = 0;
    const wanted = task[1];
    emission.emit(BOS, 'prompt');
    emission.emit(FIRST_SEARCH + firstWord(wanted & TYPE_MASK), 'prompt');
    emission.emit(FIRST_SEARCH + firstWord(wanted & COLOUR_MASK), 'prompt');
    emission.emit(FIRST_PRICE + task[3], 'prompt');
    emission.emit(NONE, 'prompt');
  }

  legalSet(): number {
    return 1;
  }

  /** A word that is no action costs the turn and any penalty of the settings; the answer is a warning. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.isDone(slot)) return;
    const token = action[0] ?? 0;
    const product = token - FIRST_PRODUCT;
    this.turn[slot] += 1;
    this.floor[slot] = 0;
    if (token === BUY) {
      this.#bought[slot] = 1;
      this.paid[slot] += this.scoreOfOpened(slot);
    } else if (token >= FIRST_SEARCH && token < BUY) this.#search(slot, token - FIRST_SEARCH, emission);
    else if (product >= 0 && product < this.shelves.products) this.#open(slot, product, emission);
    else this.refuse(slot, MALFORMED, emission);
  }

  #search(slot: number, word: number, emission: Emission): void {
    const isNew = (this.#searched[slot] & (1 << word)) === 0;
    // The information that a search gives about an unknown catalogue is not computed.
    if (this.options.fresh && isNew) this.floor[slot] = Number.NaN;
    this.#searched[slot] |= 1 << word;
    let key = -1;
    for (let shown = 0; shown < SHOWN; shown++) {
      const isMore = shown === 0 || key !== -1;
      if (isMore) key = this.shelves.nextResult(this.base(slot), 1 << word, key);
      emission.emit(key === -1 ? NONE : FIRST_PRODUCT + productOf(key), 'observation');
    }
  }

  #open(slot: number, product: number, emission: Emission): void {
    if (this.options.fresh) this.floor[slot] = this.#productEntropy(slot, product);
    const at = 2 * slot + (product >> 5);
    this.#seen[at] |= 1 << (product & 31);
    this.opened[slot] = product;
    const words = this.shelves.words[this.base(slot) + product];
    emission.emit(FIRST_SEARCH + firstWord(words & TYPE_MASK), 'observation');
    emission.emit(FIRST_SEARCH + firstWord(words & COLOUR_MASK), 'observation');
    emission.emit(FIRST_PRICE + this.shelves.price[this.base(slot) + product], 'observation');
  }

  #productEntropy(slot: number, product: number): number {
    if (this.#hasSeen(slot, product)) return 0;
    if (this.#searched[slot] !== 0) return Number.NaN;
    const hasSeen = (other: number): boolean => this.#hasSeen(slot, other);
    return unseenProductEntropy(this.shelves, this.base(slot), this.task, slot * TASK, hasSeen);
  }

  #hasSeen(slot: number, product: number): boolean {
    return (this.#seen[2 * slot + (product >> 5)] & (1 << (product & 31))) !== 0;
  }

  isBought(slot: number): boolean {
    return this.#bought[slot] === 1;
  }

  protected sizeOf(): number {
    return 0;
  }

  /** Opens the first product that meets the instruction and buys it; knows the catalogue. */
  expert(slot: number): readonly number[] {
    const opened = this.opened[slot];
    for (let product = 0; product < this.shelves.products; product++) {
      if (!this.isRight(slot, product, 0)) continue;
      if (opened !== -1 && this.isRight(slot, opened, 0)) break;
      return [FIRST_PRODUCT + product];
    }
    return [BUY];
  }
}
