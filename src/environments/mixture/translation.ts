/** Between the words of a mixture and those of one of its worlds: the same words, under other numbers. */
import type { Emission } from '../environment';

/** What a world takes a word for that is not its own: `<pad>`, which no action begins with. */
const UNKNOWN = 0;

export class Translation {
  /** The mixture's token of each of the world's. */
  readonly #outward: Uint16Array;
  /** The world's token of each of the mixture's. */
  readonly #inward: Uint16Array;

  constructor(mixture: readonly string[], world: readonly string[]) {
    this.#outward = Uint16Array.from(world, (word) => mixture.indexOf(word));
    this.#inward = new Uint16Array(mixture.length).fill(UNKNOWN);
    this.#outward.forEach((token, own) => {
      this.#inward[token] = own;
    });
  }

  outward(token: number): number {
    return this.#outward[token];
  }

  /** Also of tokens that only fill up the vocabulary. */
  inward(token: number): number {
    return this.#inward[token] ?? UNKNOWN;
  }
}

/** Passes on what a world says, in the mixture's tokens, to wherever it is pointed at. */
export class Translator implements Emission {
  readonly #translation: Translation;
  to: Emission | null = null;

  constructor(translation: Translation) {
    this.#translation = translation;
  }

  emit(token: number, role: Parameters<Emission['emit']>[1]): boolean {
    return this.to?.emit(this.#translation.outward(token), role) ?? false;
  }
}
