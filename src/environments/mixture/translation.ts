/** Translation between a mixture's tokens and those of one of its worlds: the same words under other numbers. */
import type { Emission } from '../environment';

/** Token in a world for a word that it does not know: `<pad>`, with which no action begins. */
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

  /** The world's token; UNKNOWN also for tokens that only pad the vocabulary. */
  inward(token: number): number {
    return this.#inward[token] ?? UNKNOWN;
  }
}

/** Emission that passes a world's tokens on to `to`, as the mixture's tokens. */
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
