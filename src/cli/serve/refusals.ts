/** Refused requests, told where the server runs: a line at once, and after that one every ten seconds with the count. */

/** Milliseconds between two lines. */
const PACE = 10_000;

export class Refusals {
  readonly #tell: (line: string) => void;
  #told = Number.NEGATIVE_INFINITY;
  #untold = 0;
  #last = '';

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** `line`: the event and advice, without characters that a terminal obeys. */
  add(line: string): void {
    this.#untold++;
    this.#last = line;
    if (Date.now() - this.#told >= PACE) this.flush();
  }

  /** Tells the refusals not told yet. */
  flush(): void {
    if (this.#untold === 0) return;
    const more = this.#untold - 1;
    this.#tell(more === 0 ? this.#last : `${this.#last} ${more} more were refused since the last line.`);
    this.#told = Date.now();
    this.#untold = 0;
  }
}
