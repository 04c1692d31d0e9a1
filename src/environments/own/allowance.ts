/**
 * Time that a thread which has to answer gives to somebody's text. A world may behave while it is tried and work on and on later, and no
 * clock of a page tells how long a call had the processor. So a text has a quarter of a second of a task, as far as gaps between its
 * questions tell (patience.ts), and six times that by the clock. A text that takes more is not asked again in this thread: it would
 * hold it up again.
 */
import { NOWHERE, WorldError } from './failure';
import { Patience } from './patience';

/** Milliseconds of all calls in one task. */
const IN_ONE_GO = 250;
/** Milliseconds by the clock that count as one: a busy machine gives the page a part of a core. */
const BUSY = 6;
/** Milliseconds from which on a call is slow, and of all slow calls together. */
const SLOW = 50;
const ALL_SLOW = 1000;

const UNDRAWN = 'This world takes longer than the page can wait, so the page draws it no more; training goes on';

export class Allowance {
  readonly #now: () => number;
  readonly #afterTask: (call: () => void) => void;
  #inThisGo = 0;
  #slow = 0;
  #isGoing = false;
  #refusal: WorldError | null = null;

  /** `afterTask` calls back once this task of the thread has ended. */
  constructor(now = (): number => performance.now(), afterTask = (call: () => void): void => void setTimeout(call)) {
    this.#now = now;
    this.#afterTask = afterTask;
  }

  /** Result of a call that is given its patience. Throws WorldError once the text has taken too long. */
  within<T>(call: (patience: Patience) => T): T {
    if (this.#refusal !== null) throw this.#refusal;
    if (!this.#isGoing) {
      this.#isGoing = true;
      this.#afterTask(() => {
        this.#isGoing = false;
        this.#inThisGo = 0;
      });
    }
    const left = IN_ONE_GO - this.#inThisGo;
    const patience = new Patience(left, this.#now, BUSY * left);
    try {
      const result = call(patience);
      this.#take(patience, null);
      return result;
    } catch (cause) {
      this.#take(patience, cause);
      throw this.#refusal ?? cause;
    }
  }

  #take(patience: Patience, cause: unknown): void {
    const taken = Math.max(patience.spent, patience.elapsed / BUSY);
    this.#inThisGo += taken;
    if (taken > SLOW) this.#slow += taken;
    if (this.#inThisGo < IN_ONE_GO && this.#slow < ALL_SLOW) return;
    const said = cause instanceof WorldError ? `. ${cause.what.replace(/\.$/, '')}` : '';
    this.#refusal = new WorldError(NOWHERE, '', { what: `${UNDRAWN}${said}`, isExhausting: true });
  }
}

const allowances = new Map<string, Allowance>();

/** From now on this thread gives the text its allowance, and no more. */
export function ration(text: string): void {
  if (!allowances.has(text)) allowances.set(text, new Allowance());
}

/** Forgets all allowances. */
export function rationNothing(): void {
  allowances.clear();
}

/** null for a text that this thread may wait for. */
export const allowanceOf = (text: string): Allowance | null => allowances.get(text) ?? null;
