/**
 * The shop with pages, every action one token. Words of the catalogue typed on the search page or above the results refine
 * the query (three at most) and show the ranked results, three a page, with prices; a result opens by its place; a product
 * page tells type, colour, features, sizes and price; choosing a size tells what it costs; `back` leads to the results and
 * from there to an empty search. Buying ends the episode.
 */
import { MALFORMED_WORD } from '../decoding';
import type { Emission, Environment, Scene, World } from '../environment';
import { actionsOf, simulateRandomSuccess } from '../replay';
import { FIRST_SIZE, FIXED_CATALOGUE, PRICES, productOf, Shelves, SIZE_MASK, SIZES, WORDS } from './catalogue';
import { canHoldOut, drawInstruction, type InstructionOptions, meets, priceOf, scoreOf } from './instruction';
import type { ShopOptions } from './options';
import { pagedScenes } from './scenes';
import { PAGE, priceWords, productWords } from './words';

const BOS = 1;
export const SHOWN = 3;
const MOST_QUERY_WORDS = 3;
const FIRST_WORD = 2;
export const [BUY, BACK, NEXT, PLACE] = [0, 1, 2, 3].map((i) => FIRST_WORD + WORDS.length + i) as [
  number,
  number,
  number,
  number,
];
const PLACES = ['first', 'second', 'third'] as const;
const SAID = ['search', 'results', 'item', 'more', 'end', 'unavailable', MALFORMED_WORD] as const;
const [SEARCH, RESULTS, ITEM, MORE, END, UNAVAILABLE, MALFORMED] = SAID.map(
  (_, i) => PLACE + SHOWN + i,
) as number[] as [number, number, number, number, number, number, number];
const FIRST_PRICE = PLACE + SHOWN + SAID.length;
/** Dearest product, one more for a large one, one more as the cap. */
const DEAREST = PRICES + 1;
const FIRST_PRODUCT = FIRST_PRICE + DEAREST + 1;
const TASK = 4;
/** Longest observation: `item`, id, type, colour, two features, two sizes, price. */
const MOST_SAID = 9;
const SIMULATED_EPISODES = 4096;

/** Set 1: search; 2 … 11: results by (results shown, more of them, query full); 12: a product. */
const PRODUCT_SET = 12;
function resultsSet(shown: number, hasMore: boolean, isFull: boolean): number {
  return 2 + 2 * (hasMore ? SHOWN + 1 : shown) + (isFull ? 1 : 0);
}

function legalSets(): number[][] {
  const words = WORDS.map((_, word) => FIRST_WORD + word);
  const sets = [words];
  for (const [shown, hasMore] of [...[0, 1, 2, 3].map((count) => [count, false] as const), [SHOWN, true] as const]) {
    const places = PLACES.slice(0, shown).map((_, place) => PLACE + place);
    const clicks = [BACK, ...(hasMore ? [NEXT] : []), ...places];
    sets.push([...words, ...clicks], clicks);
  }
  return [...sets, [BUY, BACK, ...SIZES.map((_, size) => FIRST_WORD + FIRST_SIZE + size)]];
}

export class PagedShop implements Environment {
  readonly words: readonly string[];
  readonly context: number;
  readonly maxTurns: number;
  readonly maxActionTokens = 1;
  readonly stopToken = -1;
  readonly maxObservationTokens = MOST_SAID;
  readonly legalSets: readonly (readonly number[])[] = legalSets();
  readonly hasHeldOut: boolean;
  readonly #options: ShopOptions;
  readonly #instruction: InstructionOptions;
  readonly #shelves: Shelves;
  #randomSuccess: number | null = null;

  constructor(options: ShopOptions) {
    const { products, horizon, features, size } = options;
    const ids = productWords(products);
    this.words = [
      '<pad>',
      '<bos>',
      ...WORDS,
      'buy',
      'back',
      'next',
      ...PLACES,
      ...SAID,
      ...priceWords(DEAREST),
      ...ids,
    ];
    this.context = 5 + features + (size ? 1 : 0) + horizon * (1 + MOST_SAID);
    this.maxTurns = horizon;
    this.#shelves = new Shelves(1, products);
    this.#shelves.stock(0, FIXED_CATALOGUE);
    this.hasHeldOut = options.holdOut && (options.fresh || canHoldOut(this.#shelves));
    this.#options = options;
    this.#instruction = { ...options, holdOut: this.hasHeldOut, typeIsAttribute: false };
  }

  /** From 4,096 simulated episodes: a standard error of 0.16 points at a rate of 1%. */
  get randomSuccess(): number {
    this.#randomSuccess ??= simulateRandomSuccess(this, SIMULATED_EPISODES);
    return this.#randomSuccess;
  }

  drawTask(...[random, split = 'train']: Parameters<Environment['drawTask']>): Int32Array {
    return drawInstruction(random, this.#shelves, this.#instruction, split);
  }

  scenes(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[] {
    return pagedScenes(this.createWorld(1), this.words, task, actionsOf(tokens, roles));
  }

  createWorld(slots: number): PagedShopSlots {
    const own = this.#options.fresh ? new Shelves(slots, this.#options.products) : this.#shelves;
    return new PagedShopSlots(slots, own, this.#options, this.#instruction);
  }
}

export class PagedShopSlots implements World {
  readonly shelves: Shelves;
  readonly #options: ShopOptions;
  readonly #instruction: InstructionOptions;
  readonly #task: Int32Array;
  readonly page: Uint8Array;
  /** Words typed, as a mask, and how many were typed. */
  readonly query: Int32Array;
  readonly #typed: Uint8Array;
  /** Ranking keys of the results shown, −1 for none, [slots, SHOWN]; and whether there are more behind them. */
  readonly results: Int32Array;
  readonly hasMore: Uint8Array;
  readonly opened: Int8Array;
  /** The size chosen, as a mask of one bit; 0 for none. */
  readonly size: Int32Array;
  readonly #turn: Uint16Array;
  readonly #reward: Float64Array;
  readonly #floor: Float64Array;

  constructor(slots: number, shelves: Shelves, options: ShopOptions, instruction: InstructionOptions) {
    this.shelves = shelves;
    this.#options = options;
    this.#instruction = instruction;
    this.#task = new Int32Array(slots * TASK);
    this.page = new Uint8Array(slots);
    this.query = new Int32Array(slots);
    this.#typed = new Uint8Array(slots);
    this.results = new Int32Array(slots * SHOWN);
    this.hasMore = new Uint8Array(slots);
    this.opened = new Int8Array(slots);
    this.size = new Int32Array(slots);
    this.#turn = new Uint16Array(slots);
    this.#reward = new Float64Array(slots);
    this.#floor = new Float64Array(slots);
  }

  /** Where the slot's catalogue begins. */
  base(slot: number): number {
    return this.#options.fresh ? slot * this.shelves.products : 0;
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.#task.set(task, slot * TASK);
    if (this.#options.fresh) this.shelves.stock(this.base(slot), task[0] as number);
    this.#turn[slot] = 0;
    this.#reward[slot] = 0;
    this.#floor[slot] = 0;
    this.#clear(slot);
    emission.emit(BOS, 'prompt');
    const asked = (task[1] as number) | (task[2] as number);
    for (let word = 0; word < WORDS.length; word++) {
      if ((asked & (1 << word)) !== 0) emission.emit(FIRST_WORD + word, 'prompt');
    }
    emission.emit(FIRST_PRICE + (task[3] as number), 'prompt');
    emission.emit(SEARCH, 'prompt');
  }

  /** An empty search page. */
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
    if (this.#options.decoding.free) return 0;
    if (this.page[slot] === PAGE.search) return 1;
    if (this.page[slot] !== PAGE.results) return PRODUCT_SET;
    const isFull = (this.#typed[slot] as number) >= MOST_QUERY_WORDS;
    return resultsSet(this.#shown(slot), this.hasMore[slot] === 1, isFull);
  }

  /** The products listed on the page. */
  listed(slot: number): number[] {
    return Array.from(this.results.subarray(slot * SHOWN, slot * SHOWN + this.#shown(slot)), productOf);
  }

  #shown(slot: number): number {
    let shown = 0;
    while (shown < SHOWN && this.results[slot * SHOWN + shown] !== -1) shown += 1;
    return shown;
  }

  /** What is not there to click costs the turn, and what the settings say, and is answered by a warning. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.isDone(slot)) return;
    this.#turn[slot] = (this.#turn[slot] as number) + 1;
    this.#floor[slot] = 0;
    const token = action[0] ?? 0;
    const page = this.page[slot] as number;
    const word = token - FIRST_WORD;
    const done =
      page === PAGE.item ? this.#onProduct(slot, token, word, emission) : this.#onResults(slot, token, word, emission);
    if (!done) this.#refuse(slot, emission);
  }

  #refuse(slot: number, emission: Emission): void {
    emission.emit(MALFORMED, 'warning');
    this.#reward[slot] = (this.#reward[slot] as number) - this.#options.decoding.penalty;
    if (this.#options.decoding.malformed === 'end') this.#turn[slot] = this.#options.horizon;
  }

  /** Search page or results; false if the click means nothing there. */
  #onResults(slot: number, token: number, word: number, emission: Emission): boolean {
    const place = token - PLACE;
    if (word >= 0 && word < WORDS.length && (this.#typed[slot] as number) < MOST_QUERY_WORDS) {
      this.query[slot] = (this.query[slot] as number) | (1 << word);
      this.#typed[slot] = (this.#typed[slot] as number) + 1;
      this.#list(slot, -1);
      this.#showResults(slot, emission, true);
    } else if (token === NEXT && this.hasMore[slot] === 1) {
      this.#list(slot, this.results[slot * SHOWN + SHOWN - 1] as number);
      this.#showResults(slot, emission, true);
    } else if (token === BACK && this.page[slot] === PAGE.results) {
      this.#clear(slot);
      emission.emit(SEARCH, 'observation');
    } else if (place >= 0 && place < this.#shown(slot)) {
      this.opened[slot] = productOf(this.results[slot * SHOWN + place] as number);
      this.#showProduct(slot, emission);
    } else return false;
    return true;
  }

  #onProduct(slot: number, token: number, word: number, emission: Emission): boolean {
    const product = this.base(slot) + (this.opened[slot] as number);
    const size = word >= FIRST_SIZE && word < WORDS.length ? 1 << word : 0;
    if (token === BUY) {
      this.#reward[slot] = (this.#reward[slot] as number) + this.#scoreOfOpened(slot);
      this.page[slot] = PAGE.bought;
    } else if (token === BACK) {
      this.opened[slot] = -1;
      this.size[slot] = 0;
      this.#showResults(slot, emission, false);
    } else if (size !== 0 && ((this.shelves.words[product] as number) & size) === 0) {
      emission.emit(UNAVAILABLE, 'observation');
    } else if (size !== 0) {
      this.size[slot] = size;
      emission.emit(token, 'observation');
      emission.emit(FIRST_PRICE + priceOf(this.shelves, product, size), 'observation');
    } else return false;
    return true;
  }

  /** Lists the results behind the one with key `after`. */
  #list(slot: number, after: number): void {
    let key = after;
    for (let shown = 0; shown < SHOWN; shown++) {
      const isMore = shown === 0 || key !== -1;
      if (isMore) key = this.shelves.nextResult(this.base(slot), this.query[slot] as number, key);
      this.results[slot * SHOWN + shown] = key;
    }
    const isMore = key !== -1 && this.shelves.nextResult(this.base(slot), this.query[slot] as number, key) !== -1;
    this.hasMore[slot] = isMore ? 1 : 0;
  }

  #showResults(slot: number, emission: Emission, isNew: boolean): void {
    this.page[slot] = PAGE.results;
    if (isNew && this.#options.fresh) this.#floor[slot] = Number.NaN;
    emission.emit(RESULTS, 'observation');
    for (let shown = 0; shown < this.#shown(slot); shown++) {
      const product = productOf(this.results[slot * SHOWN + shown] as number);
      emission.emit(FIRST_PRODUCT + product, 'observation');
      emission.emit(FIRST_PRICE + priceOf(this.shelves, this.base(slot) + product, 0), 'observation');
    }
    emission.emit(this.hasMore[slot] === 1 ? MORE : END, 'observation');
  }

  #showProduct(slot: number, emission: Emission): void {
    const product = this.opened[slot] as number;
    this.page[slot] = PAGE.item;
    if (this.#options.fresh) this.#floor[slot] = Number.NaN;
    emission.emit(ITEM, 'observation');
    emission.emit(FIRST_PRODUCT + product, 'observation');
    const words = this.shelves.words[this.base(slot) + product] as number;
    for (let word = 0; word < WORDS.length; word++) {
      if ((words & (1 << word)) !== 0) emission.emit(FIRST_WORD + word, 'observation');
    }
    emission.emit(FIRST_PRICE + priceOf(this.shelves, this.base(slot) + product, 0), 'observation');
  }

  #scoreOfOpened(slot: number): number {
    const opened = this.opened[slot] as number;
    if (opened === -1) return 0;
    const product = this.base(slot) + opened;
    return scoreOf(this.shelves, product, this.size[slot] as number, this.#task, slot * TASK, this.#instruction);
  }

  isDone(slot: number): boolean {
    return this.page[slot] === PAGE.bought || (this.#turn[slot] as number) >= this.#options.horizon;
  }

  reward(slot: number): number {
    return this.#reward[slot] as number;
  }

  isSuccess(slot: number): boolean {
    return (
      this.page[slot] === PAGE.bought && this.#isRight(slot, this.opened[slot] as number, this.size[slot] as number)
    );
  }

  #isRight(slot: number, product: number, size: number): boolean {
    return meets(this.shelves, this.base(slot) + product, size, this.#task, slot * TASK);
  }

  /** Whether a product that comes in the size asked for would be right in it. */
  #isSought(slot: number, product: number): boolean {
    const wantedSize = this.#task[slot * TASK + 2] as number;
    const comesInIt = ((this.shelves.words[this.base(slot) + product] as number) & wantedSize) === wantedSize;
    return comesInIt && this.#isRight(slot, product, wantedSize);
  }

  /** Knows the catalogue: types what is asked for until a right product is listed, opens it, chooses its size, buys. */
  expert(slot: number): readonly number[] {
    const wantedSize = this.#task[slot * TASK + 2] as number;
    if (this.page[slot] === PAGE.item) {
      if (!this.#isSought(slot, this.opened[slot] as number)) return [BACK];
      if (wantedSize === 0 || this.size[slot] === wantedSize) return [BUY];
      return [FIRST_WORD + 31 - Math.clz32(wantedSize & SIZE_MASK)];
    }
    for (let shown = 0; shown < this.#shown(slot); shown++) {
      if (this.#isSought(slot, productOf(this.results[slot * SHOWN + shown] as number))) return [PLACE + shown];
    }
    const missing = (this.#task[slot * TASK + 1] as number) & ~(this.query[slot] as number);
    if (missing !== 0 && (this.#typed[slot] as number) < MOST_QUERY_WORDS) {
      return [FIRST_WORD + 31 - Math.clz32(missing & -missing)];
    }
    return [this.hasMore[slot] === 1 ? NEXT : BACK];
  }

  /**
   * 0 in the fixed catalogue. In a fresh one 0 where the answer is known (a size's price, results seen before) and NaN for
   * new results and products: the exact posterior given rankings couples all products and is not computed.
   */
  entropyFloor(slot: number): number {
    return this.#floor[slot] as number;
  }

  /** Half of what the open product would score as it is; once bought, what it scored. */
  progress(slot: number): number {
    return (this.page[slot] === PAGE.bought ? 1 : 0.5) * this.#scoreOfOpened(slot);
  }
}
