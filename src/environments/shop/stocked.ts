/** A shop's catalogue and the instructions drawn from it, as both shops have them; every action is one token. */
import type { Environment } from '../environment';
import { listWords, type WordKinds } from '../wordKinds';
import { Shelves } from './catalogue';
import { canHoldOut, drawInstruction, type InstructionOptions } from './instruction';
import type { ShopOptions } from './options';

/** `shape`: what an instruction of this shop may ask for, where it is not as the options say. */
export class StockedShop {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly maxTurns: number;
  readonly maxActionTokens = 1;
  readonly stopToken = -1;
  readonly hasHeldOut: boolean;
  protected readonly options: ShopOptions;
  protected readonly instruction: InstructionOptions;
  /** The fixed catalogue, or room for a fresh one to draw a task from. */
  protected readonly shelves: Shelves;

  constructor(
    options: ShopOptions,
    words: WordKinds,
    shape: Pick<InstructionOptions, 'typeIsAttribute'> & Partial<InstructionOptions>,
  ) {
    ({ words: this.words, kinds: this.kinds } = listWords(words));
    this.maxTurns = options.horizon;
    this.shelves = new Shelves(1, options.products);
    this.shelves.stock(0, options.catalogue);
    this.hasHeldOut = options.holdOut && (options.fresh || canHoldOut(this.shelves));
    this.options = options;
    this.instruction = { ...options, ...shape, holdOut: this.hasHeldOut };
  }

  drawTask(...[random, split = 'train']: Parameters<Environment['drawTask']>): Int32Array {
    return drawInstruction(random, this.shelves, this.instruction, split);
  }

  /** Catalogues of so many slots: one each where it is fresh, else the fixed one. */
  protected shelvesOf(slots: number): Shelves {
    return this.options.fresh ? new Shelves(slots, this.options.products) : this.shelves;
  }
}
