/**
 * Ends of the threads that train a run, in turn, and whether it goes on after one. A run is the same each time, so what happens
 * twice without an update between would happen for ever: in one function of its world the run rests until that is mended, and
 * anywhere else it is tried a few times, since a machine may end a thread more than once.
 */
export interface Ending {
  /** Updates that the thread was known to have finished. */
  readonly update: number;
  /** Function of a world that ran; null where none is known. */
  readonly call: string | null;
}

/** Consequence of an end: another thread, a rest until the world is mended, or the end of the run. */
export type Sequel = 'again' | 'rest' | 'over';

/** Ends without an update between them that are one too many. */
const MOST = 4;

export class Endings {
  #last: Ending | null = null;
  #count = 0;

  /** Forgets the ends: their cause was changed. */
  clear(): void {
    this.#last = null;
  }

  add(ending: Ending): Sequel {
    const before = this.#last;
    const isLater = before === null || ending.update > before.update;
    this.#last = ending;
    this.#count = isLater ? 1 : this.#count + 1;
    const isSame = before !== null && before.update === ending.update && before.call === ending.call;
    if (isSame && ending.call !== null) return 'rest';
    return this.#count < MOST ? 'again' : 'over';
  }
}
