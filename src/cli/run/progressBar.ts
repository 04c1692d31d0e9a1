/** Progress on stderr: updates, time left, success, tokens a second. On a terminal one line is redrawn; else a line every 30 s. */
import { FINAL_UPDATES, final } from '../../experiment/conclude/statistics';
import { METRIC, METRICS } from '../../rl/measure/metrics';
import type { Member } from '../../rl/population';
import { styled } from '../output';

/** Widths of the bar. */
const WIDTH = 24;
const SHORTEST = 8;
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

  /** Draws the bar. `success`: words on it, computed when they are shown. */
  advance(finished: number, tokens: number, success: () => string = () => ''): void {
    this.#tokens += tokens;
    const now = performance.now();
    const live = process.stderr.isTTY === true;
    if (now - this.#drawn < (live ? REDRAW_MS : LINE_MS) && finished < this.#updates) return;
    this.#drawn = now;
    const seconds = (now - this.#started) / 1000;
    const left = Math.round((seconds / Math.max(1, finished - this.#from)) * (this.#updates - finished));
    const speed = `${Math.round(this.#tokens / seconds).toLocaleString('en')} tokens/s`;
    const time = `${Math.floor(left / 60)} min ${String(left % 60).padStart(2, '0')} s left`;
    const parts = [`update ${finished} of ${this.#updates}`, time, success()].filter((one) => one !== '').join(' · ');
    const whole = `${parts} · ${speed}`;
    if (!live) {
      process.stderr.write(`${this.#bar(finished, WIDTH)}${whole}\n`);
      return;
    }
    // The speed goes before the bar does. A line that went on in the next could not be drawn over.
    const columns = process.stderr.columns || 80;
    const words = whole.length + SHORTEST + 2 <= columns ? whole : parts;
    const cut = words.length < columns ? words : `${words.slice(0, columns - 2)}…`;
    process.stderr.write(`\r\x1b[K${this.#bar(finished, columns - cut.length - 2)}${cut}`);
  }

  /** The bar in so many columns at most; nothing where it would be too short to tell. */
  #bar(finished: number, columns: number): string {
    const width = Math.min(WIDTH, columns);
    if (width < SHORTEST) return '';
    const filled = Math.round((finished / this.#updates) * width);
    return `${styled('green', '█'.repeat(filled))}${'░'.repeat(width - filled)} `;
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

/**
 * Success of each arm: mean over its seeds and the last updates, as in the table of the result. `curves`: metrics,
 * [updates, P, METRICS.length]. Empty before the first update.
 */
export function successWords(members: readonly Member[], curves: Float32Array): string {
  const rates = new Map<string, number[]>();
  const row = members.length * METRICS.length;
  const first = Math.max(0, curves.length - FINAL_UPDATES * row);
  for (let at = first + METRIC.successRate; at < curves.length; at += METRICS.length) {
    const { arm } = members[Math.floor((at % row) / METRICS.length)] as Member;
    if (!rates.has(arm)) rates.set(arm, []);
    rates.get(arm)?.push(curves[at] as number);
  }
  const words = Array.from(rates, ([arm, values]) => `${arm} ${final(values, values.length)?.toFixed(2) ?? '–'}`);
  return words.length === 0 ? '' : `success ${words.join(', ')}`;
}
