/** Every shop's episodes, one a slot: task, opened product, turns, reward and floor. How it is clicked through is each shop's own. */
import type { Emission } from '../environment';
import type { Shelves } from './catalogue';
import { type InstructionOptions, meets, scoreOf } from './instruction';
import type { ShopOptions } from './options';

/** Integers of a task. */
export const TASK = 4;

export abstract class ShopSlots {
  readonly shelves: Shelves;
  /** Product opened last, −1 for none. */
  readonly opened: Int8Array;
  protected readonly options: ShopOptions;
  protected readonly instruction: InstructionOptions;
  /** Tasks, [slots, TASK]. */
  protected readonly task: Int32Array;
  protected readonly turn: Uint16Array;
  protected readonly paid: Float64Array;
  /** Entropy floor of the last answer, nats. */
  protected readonly floor: Float64Array;

  constructor(slots: number, shelves: Shelves, options: ShopOptions, instruction: InstructionOptions) {
    this.shelves = shelves;
    this.opened = new Int8Array(slots);
    this.options = options;
    this.instruction = instruction;
    this.task = new Int32Array(slots * TASK);
    this.turn = new Uint16Array(slots);
    this.paid = new Float64Array(slots);
    this.floor = new Float64Array(slots);
  }

  abstract isBought(slot: number): boolean;

  /** Size chosen of the open product, as a mask of one bit; 0 for none. */
  protected abstract sizeOf(slot: number): number;

  /** First index of the slot's catalogue. */
  base(slot: number): number {
    return this.options.fresh ? slot * this.shelves.products : 0;
  }

  protected begin(slot: number, task: Int32Array): void {
    this.task.set(task, slot * TASK);
    if (this.options.fresh) this.shelves.stock(this.base(slot), task[0]);
    this.opened[slot] = -1;
    this.turn[slot] = 0;
    this.paid[slot] = 0;
    this.floor[slot] = 0;
  }

  isFree(): boolean {
    return this.options.decoding.free;
  }

  /** Answers a word that is no action here: it costs the turn and any penalty of the settings. */
  protected refuse(slot: number, word: number, emission: Emission): void {
    emission.emit(word, 'warning');
    this.paid[slot] -= this.options.decoding.penalty;
    if (this.options.decoding.malformed === 'end') this.turn[slot] = this.options.horizon;
  }

  protected scoreOfOpened(slot: number): number {
    const opened = this.opened[slot];
    if (opened === -1) return 0;
    const product = this.base(slot) + opened;
    return scoreOf(this.shelves, product, this.sizeOf(slot), this.task, slot * TASK, this.instruction);
  }

  protected isRight(slot: number, product: number, size: number): boolean {
    return meets(this.shelves, this.base(slot) + product, size, this.task, slot * TASK);
  }

  isDone(slot: number): boolean {
    return this.isBought(slot) || this.turn[slot] >= this.options.horizon;
  }

  reward(slot: number): number {
    return this.paid[slot];
  }

  isSuccess(slot: number): boolean {
    const opened = this.opened[slot];
    return this.isBought(slot) && opened !== -1 && this.isRight(slot, opened, this.sizeOf(slot));
  }

  entropyFloor(slot: number): number {
    return this.floor[slot];
  }

  /** Half the score of the open product as chosen so far; its full score once bought. */
  progress(slot: number): number {
    return (this.isBought(slot) ? 1 : 0.5) * this.scoreOfOpened(slot);
  }
}
