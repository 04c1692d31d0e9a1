/** Episodes in the shop with pages: the effect of each click, and the page shown then. */
import type { Emission, WorldSlots } from '../environment';
import { FIRST_SIZE, firstWord, productOf, type Shelves, WORDS } from './catalogue';
import { type InstructionOptions, priceOf } from './instruction';
import type { ShopOptions } from './options';
import {
  BACK,
  BOS,
  BUY,
  END,
  FIRST_PRICE,
  FIRST_PRODUCT,
  FIRST_WORD,
  ITEM,
  MALFORMED,
  MORE,
  NEXT,
  PLACE,
  PRODUCT_SET,
  RESULTS,
  resultsSet,
  SEARCH,
  SEARCH_SET,
  SHOWN,
  UNAVAILABLE,
} from './pageTokens';
import { PAGE } from './shopWords';
import { ShopSlots, TASK } from './slots';

const MOST_QUERY_WORDS = 3;

/**
 * Floors are 0 in the fixed catalogue. In a fresh one they are 0 where the answer is known (a size's price, results seen before),
 * and NaN for new results and products: given rankings, all products depend on each other, and the posterior is not computed.
 */
export class PagedShopSlots extends ShopSlots implements WorldSlots {
  readonly page: Uint8Array;
  /** Words typed, as a mask, and their number. */
  readonly query: Int32Array;
  readonly #typed: Uint8Array;
  /** Ranking keys of the results shown, −1 for none, [slots, SHOWN]; and 1 if there are more. */
  readonly results: Int32Array;
  readonly hasMore: Uint8Array;
  /** Chosen size, as a mask of one bit; 0 for none. */
  readonly size: Int32Array;

  constructor(slots: number, shelves: Shelves, options: ShopOptions, instruction: InstructionOptions) {
    super(slots, shelves, options, instruction);
    this.page = new Uint8Array(slots);
    this.query = new Int32Array(slots);
    this.#typed = new Uint8Array(slots);
    this.results = new Int32Array(slots * SHOWN);
    this.hasMore = new Uint8Array(slots);
    this.size = new Int32Array(slots);
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.begin(slot, task);
    this.#clear(slot);
    emission.emit(BOS, 'prompt');
    const asked = task[1] | task[2];
    for (let word = 0; word < WORDS.length; word++) {
      if ((asked & (1 << word)) !== 0) emission.emit(FIRST_WORD + word, 'prompt');
    }
    emission.emit(FIRST_PRICE + task[3], 'prompt');
    emission.emit(SEARCH, 'prompt');
  }

  /** Goes to an empty search page. */
  #clear(slot: number): void {
    this.page[slot] = PAGE.search;
    this.query[slot] = 0;
    this.#typed[slot] = 0;
    this.results.fill(-1, slot * SHOWN, (slot + 1) * SHOWN);
    this.hasMore[slot] = 0;
    this.opened[slot] = -1;
    this.size[slot] = 0;
  }

  legalSet(slot: number): number {
    if (this.page[slot] === PAGE.search) return SEARCH_SET;
    if (this.page[slot] !== PAGE.results) return PRODUCT_SET;
    const isFull = this.#typed[slot] >= MOST_QUERY_WORDS;
    return resultsSet(this.#shown(slot), this.hasMore[slot] === 1, isFull);
  }

  /** Products listed on the page. */
  listed(slot: number): number[] {
    return Array.from(this.results.subarray(slot * SHOWN, slot * SHOWN + this.#shown(slot)), productOf);
  }

  #shown(slot: number): number {
    let shown = 0;
    while (shown < SHOWN && this.results[slot * SHOWN + shown] !== -1) shown += 1;
    return shown;
  }

  /** A click on something that is not there costs the turn and any penalty of the settings; the answer is a warning. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.isDone(slot)) return;
    this.turn[slot] += 1;
    this.floor[slot] = 0;
    const token = action[0] ?? 0;
    const page = this.page[slot];
    const word = token - FIRST_WORD;
    const done =
      page === PAGE.item ? this.#onProduct(slot, token, word, emission) : this.#onResults(slot, token, word, emission);
    if (!done) this.refuse(slot, MALFORMED, emission);
  }

  /** Clicks on the search page or on results; false if there is no such thing to click. */
  #onResults(slot: number, token: number, word: number, emission: Emission): boolean {
    const place = token - PLACE;
    if (word >= 0 && word < WORDS.length && this.#typed[slot] < MOST_QUERY_WORDS) {
      this.query[slot] |= 1 << word;
      this.#typed[slot] += 1;
      this.#list(slot, -1);
      this.#showResults(slot, emission, true);
    } else if (token === NEXT && this.hasMore[slot] === 1) {
      this.#list(slot, this.results[slot * SHOWN + SHOWN - 1]);
      this.#showResults(slot, emission, true);
    } else if (token === BACK && this.page[slot] === PAGE.results) {
      this.#clear(slot);
      emission.emit(SEARCH, 'observation');
    } else if (place >= 0 && place < this.#shown(slot)) {
      this.opened[slot] = productOf(this.results[slot * SHOWN + place]);
      this.#showProduct(slot, emission);
    } else return false;
    return true;
  }

  #onProduct(slot: number, token: number, word: number, emission: Emission): boolean {
    const product = this.base(slot) + this.opened[slot];
    const size = word >= FIRST_SIZE && word < WORDS.length ? 1 << word : 0;
    if (token === BUY) {
      this.paid[slot] += this.scoreOfOpened(slot);
      this.page[slot] = PAGE.bought;
    } else if (token === BACK) {
      this.opened[slot] = -1;
      this.size[slot] = 0;
      this.#showResults(slot, emission, false);
    } else if (size !== 0 && (this.shelves.words[product] & size) === 0) {
      emission.emit(UNAVAILABLE, 'observation');
    } else if (size !== 0) {
      this.size[slot] = size;
      emission.emit(token, 'observation');
      emission.emit(FIRST_PRICE + priceOf(this.shelves, product, size), 'observation');
    } else return false;
    return true;
  }

  /** Lists the results after the one with key `after`. */
  #list(slot: number, after: number): void {
    let key = after;
    for (let shown = 0; shown < SHOWN; shown++) {
      const isMore = shown === 0 || key !== -1;
      if (isMore) key = this.shelves.nextResult(this.base(slot), this.query[slot], key);
      this.results[slot * SHOWN + shown] = key;
    }
    const isMore = key !== -1 && this.shelves.nextResult(this.base(slot), this.query[slot], key) !== -1;
    this.hasMore[slot] = isMore ? 1 : 0;
  }

  #showResults(slot: number, emission: Emission, isNew: boolean): void {
    this.page[slot] = PAGE.results;
    if (isNew && this.options.fresh) this.floor[slot] = Number.NaN;
    emission.emit(RESULTS, 'observation');
    for (let shown = 0; shown < this.#shown(slot); shown++) {
      const product = productOf(this.results[slot * SHOWN + shown]);
      emission.emit(FIRST_PRODUCT + product, 'observation');
      emission.emit(FIRST_PRICE + priceOf(this.shelves, this.base(slot) + product, 0), 'observation');
    }
    emission.emit(this.hasMore[slot] === 1 ? MORE : END, 'observation');
  }

  #showProduct(slot: number, emission: Emission): void {
    const product = this.opened[slot];
    this.page[slot] = PAGE.item;
    if (this.options.fresh) this.floor[slot] = Number.NaN;
    emission.emit(ITEM, 'observation');
    emission.emit(FIRST_PRODUCT + product, 'observation');
    const words = this.shelves.words[this.base(slot) + product];
    for (let word = 0; word < WORDS.length; word++) {
      if ((words & (1 << word)) !== 0) emission.emit(FIRST_WORD + word, 'observation');
    }
    emission.emit(FIRST_PRICE + priceOf(this.shelves, this.base(slot) + product, 0), 'observation');
  }

  isBought(slot: number): boolean {
    return this.page[slot] === PAGE.bought;
  }

  protected sizeOf(slot: number): number {
    return this.size[slot];
  }

  /** True if a product comes in the size asked for and would be right in it. */
  #isSought(slot: number, product: number): boolean {
    const wantedSize = this.task[slot * TASK + 2];
    const comesInIt = (this.shelves.words[this.base(slot) + product] & wantedSize) === wantedSize;
    return comesInIt && this.isRight(slot, product, wantedSize);
  }

  /** Types words asked for until a right product is listed, opens it, chooses its size, buys; knows the catalogue. */
  expert(slot: number): readonly number[] {
    const wantedSize = this.task[slot * TASK + 2];
    if (this.page[slot] === PAGE.item) {
      if (!this.#isSought(slot, this.opened[slot])) return [BACK];
      if (wantedSize === 0 || this.size[slot] === wantedSize) return [BUY];
      return [FIRST_WORD + firstWord(wantedSize)];
    }
    for (let shown = 0; shown < this.#shown(slot); shown++) {
      if (this.#isSought(slot, productOf(this.results[slot * SHOWN + shown]))) return [PLACE + shown];
    }
    const missing = this.task[slot * TASK + 1] & ~this.query[slot];
    if (missing !== 0 && this.#typed[slot] < MOST_QUERY_WORDS) {
      return [FIRST_WORD + firstWord(missing)];
    }
    return [this.hasMore[slot] === 1 ? NEXT : BACK];
  }
}
