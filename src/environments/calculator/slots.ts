/** Many episodes with the calculator at once, one a slot. */
import { coinEntropy, Dice } from '../dice';
import type { Emission, WorldSlots } from '../environment';
import type { CalculatorSettings } from './settings';

const BOS = 1;
export const CALC = 6;
export const ERR = 7;
const BUSY = 8;
const RETRY = 9;
export const MALFORMED = 10;
export const FIRST_NUMBER = 11;
/** Question mark; the three operators come before it. */
const ASKED = 5;
const FIRST_OPERATOR = 2;

const [PLAYING, RIGHT, WRONG, MUTE] = [0, 1, 2, 3] as const;

/** A task is [a, operator, b, operator or −1, c or −1, result, tool is down, dice]. */
export const TASK = { result: 5, down: 6, dice: 7, length: 8 } as const;

/** Answer of a lying tool: the right one moved on by half of all answers, where guesses next to the right one do not reach. */
export const lieFor = (result: number, numbers: number): number => (result + Math.floor(numbers / 2)) % numbers;

export class CalculatorSlots implements WorldSlots {
  readonly #settings: CalculatorSettings;
  readonly #numbers: number;
  readonly #lies: boolean;
  readonly #result: Int32Array;
  readonly #down: Uint8Array;
  readonly #seed: Int32Array;
  readonly #turn: Uint8Array;
  readonly #calls: Uint8Array;
  readonly #malformed: Uint8Array;
  readonly #status: Uint8Array;
  /** 1 once the tool has told the result. */
  readonly #told: Uint8Array;
  /** 1 when the last call failed. */
  readonly #failed: Uint8Array;
  readonly #floor: Float64Array;
  readonly #dice = new Dice();

  /** numbers: count of those that can be answered. */
  constructor(slots: number, settings: CalculatorSettings, numbers: number, lies = false) {
    this.#lies = lies;
    this.#settings = settings;
    this.#numbers = numbers;
    this.#result = new Int32Array(slots);
    this.#seed = new Int32Array(slots);
    this.#floor = new Float64Array(slots);
    const flags = (): Uint8Array<ArrayBuffer> => new Uint8Array(slots);
    this.#down = flags();
    this.#turn = flags();
    this.#calls = flags();
    this.#malformed = flags();
    this.#status = flags();
    this.#told = flags();
    this.#failed = flags();
  }

  reset(slot: number, task: Int32Array, emission: Emission): void {
    this.#result[slot] = task[TASK.result];
    this.#down[slot] = task[TASK.down];
    this.#seed[slot] = task[TASK.dice];
    this.#turn[slot] = 0;
    this.#calls[slot] = 0;
    this.#malformed[slot] = 0;
    this.#status[slot] = PLAYING;
    this.#told[slot] = 0;
    this.#failed[slot] = 0;
    this.#floor[slot] = 0;
    emission.emit(BOS, 'prompt');
    for (let at = 0; at < 5 && task[at] >= 0; at++) {
      emission.emit((at % 2 === 0 ? FIRST_NUMBER : FIRST_OPERATOR) + task[at], 'prompt');
    }
    emission.emit(ASKED, 'prompt');
  }

  #mayCall(slot: number): boolean {
    return this.#settings.tool !== 'none' && this.#calls[slot] < this.#settings.budget;
  }

  /** Legal set of a slot. Set 1: numbers and the call. Set 2: numbers. */
  legalSet(slot: number): number {
    return this.#mayCall(slot) ? 1 : 2;
  }

  isFree(): boolean {
    return this.#settings.decoding.free;
  }

  step(slot: number, action: ArrayLike<number>, emission: Emission): void {
    if (this.#status[slot] !== PLAYING) return;
    const token = action[0] ?? 0;
    const turn = this.#turn[slot];
    this.#turn[slot] = turn + 1;
    this.#floor[slot] = 0;
    const answer = token - FIRST_NUMBER;
    if (answer >= 0 && answer < this.#numbers) this.#judge(slot, answer, emission);
    else if (token === CALC) this.#call(slot, turn, emission);
    else this.#malform(slot, emission);
    if (this.#status[slot] === PLAYING && turn + 1 >= this.#settings.turns) this.#status[slot] = MUTE;
  }

  #judge(slot: number, answer: number, emission: Emission): void {
    const result = this.#result[slot];
    this.#status[slot] = answer === result ? RIGHT : WRONG;
    if (this.#settings.reveal) emission.emit(FIRST_NUMBER + result, 'observation');
  }

  /** Answers a call. Beyond the budget the answer is the same as of a tool that is down. */
  #call(slot: number, turn: number, emission: Emission): void {
    const { tool, failure } = this.#settings;
    const isAllowed = this.#mayCall(slot);
    const calls = this.#calls[slot];
    this.#calls[slot] = calls + 1;
    let fails = !isAllowed;
    if (isAllowed && tool === 'down') {
      fails = this.#down[slot] === 1;
      // Only the first call tells something new: whether the tool is down.
      if (calls === 0) this.#floor[slot] = coinEntropy(failure);
    }
    if (isAllowed && tool === 'flaky') {
      this.#dice.seek(this.#seed[slot], turn);
      fails = this.#dice.unit() < failure;
      this.#floor[slot] = coinEntropy(failure);
    }
    this.#failed[slot] = fails ? 1 : 0;
    if (!fails) {
      this.#told[slot] = 1;
      const result = this.#result[slot];
      emission.emit(FIRST_NUMBER + (this.#lies ? lieFor(result, this.#numbers) : result), 'observation');
      return;
    }
    emission.emit(ERR, 'observation');
    if (!isAllowed || tool !== 'flaky') return;
    emission.emit(BUSY, 'observation');
    emission.emit(RETRY, 'observation');
  }

  #malform(slot: number, emission: Emission): void {
    this.#malformed[slot] += 1;
    if (this.#settings.decoding.malformed === 'end') this.#status[slot] = MUTE;
    emission.emit(MALFORMED, 'warning');
  }

  isDone(slot: number): boolean {
    return this.#status[slot] !== PLAYING;
  }

  reward(slot: number): number {
    return (this.isSuccess(slot) ? 1 : 0) - this.#settings.decoding.penalty * this.#malformed[slot];
  }

  isSuccess(slot: number): boolean {
    return this.#status[slot] === RIGHT;
  }

  /** 'right', 'wrong', 'no answer', or null while the episode goes on. */
  verdict(slot: number): string | null {
    return [null, 'right', 'wrong', 'no answer'][this.#status[slot]] ?? null;
  }

  /** Asks the tool while that can help, then answers: the tool's result, or by the setting a computed one or a guess. */
  expert(slot: number): readonly number[] {
    const { tool, turns, demonstrator } = this.#settings;
    const turn = this.#turn[slot];
    const isHopeless = this.#failed[slot] === 1 && tool === 'down';
    const hasTime = turn + 1 < turns;
    if (this.#told[slot] === 0 && this.#mayCall(slot) && hasTime && !isHopeless) return [CALC];
    if (this.#told[slot] === 1 || demonstrator === 'computes') return [FIRST_NUMBER + this.#result[slot]];
    this.#dice.seek(this.#seed[slot], turns + turn);
    return [FIRST_NUMBER + this.#dice.below(this.#numbers)];
  }

  entropyFloor(slot: number): number {
    return this.#floor[slot];
  }

  /** 0.5 once the tool has told the result, 1 after the right answer. */
  progress(slot: number): number {
    if (this.isDone(slot)) return this.isSuccess(slot) ? 1 : 0;
    return this.#told[slot] === 1 ? 0.5 : 0;
  }
}
