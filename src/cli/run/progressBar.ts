/** Progress on stderr: updates, tokens a second, time left. On a terminal one line is redrawn; else a line every 30 s. */

const WIDTH = 24;
const REDRAW_MS = 200;
const LINE_MS = 30_000;

export class ProgressBar {
  readonly #updates: number;
  readonly #from: number;
  readonly #started = performance.now();
  #tokens = 0;
  #drawn = Number.NEGATIVE_INFINITY;

  constructor(updates: number, from: number) {
    this.#updates = updates;
    this.#from = from;
  }

  advance(finished: number, tokens: number): void {
    this.#tokens += tokens;
    const now = performance.now();
    const live = process.stderr.isTTY === true;
    if (now - this.#drawn < (live ? REDRAW_MS : LINE_MS) && finished < this.#updates) return;
    this.#drawn = now;
    const seconds = (now - this.#started) / 1000;
    const left = Math.round((seconds / Math.max(1, finished - this.#from)) * (this.#updates - finished));
    const filled = Math.round((finished / this.#updates) * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    const speed = `${Math.round(this.#tokens / seconds).toLocaleString('en')} tokens/s`;
    const time = `${Math.floor(left / 60)} min ${String(left % 60).padStart(2, '0')} s left`;
    const line = `${bar} update ${finished} of ${this.#updates} · ${speed} · ${time}`;
    process.stderr.write(live ? `\r\x1b[K${line}` : `${line}\n`);
  }

  /** Writes a message on a line of its own; the bar comes back below it. */
  say(message: string): void {
    process.stderr.write(process.stderr.isTTY === true ? `\r\x1b[K${message}\n` : `${message}\n`);
    this.#drawn = Number.NEGATIVE_INFINITY;
  }

  end(): void {
    if (process.stderr.isTTY === true) process.stderr.write('\n');
  }
}
