/**
 * Turns finished updates into events for the page: metrics in batches a few times a second, episodes less often. Clocks
 * are read here and only here; they decide when something is shown, never what is computed.
 */
import type { EpisodeView, TrainerEvent } from './protocol';
import type { TrainerUpdate } from './training';

/** Milliseconds between metric batches, and between episodes. */
const METRICS_EVERY = 250;
const EPISODES_EVERY = 1000;

interface Waiting {
  readonly update: number;
  readonly metrics: Float64Array;
}

export class Reporter {
  readonly #post: (event: TrainerEvent, transfer?: Transferable[]) => void;
  #pending: Promise<void> = Promise.resolve();
  #waiting: Waiting[] = [];
  #members = 0;
  #columns = 0;
  #lastMetrics = 0;
  #lastEpisodes = Number.NEGATIVE_INFINITY;
  /** The window throughput is measured over: since the last batch. */
  #windowStart = 0;
  #windowUpdates = 0;
  #windowTokens = 0;
  #error: unknown = null;

  constructor(post: (event: TrainerEvent, transfer?: Transferable[]) => void) {
    this.#post = post;
  }

  /** Training begins or continues: time spent paused does not count. */
  restart(): void {
    this.#windowStart = performance.now();
    this.#windowUpdates = 0;
    this.#windowTokens = 0;
  }

  wantsEpisodes(): boolean {
    return performance.now() - this.#lastEpisodes >= EPISODES_EVERY;
  }

  episodesWanted(): void {
    this.#lastEpisodes = Number.NEGATIVE_INFINITY;
  }

  /** Reports an update when its numbers arrive, in order; does not wait. Throws what an earlier one threw. */
  add(result: TrainerUpdate, members: number, columns: number): void {
    if (this.#error !== null) throw this.#error;
    this.#members = members;
    this.#columns = columns;
    if (result.episodes !== null) this.#lastEpisodes = performance.now();
    this.#pending = this.#pending
      .then(() => Promise.all([result.metrics, result.episodes]))
      .then(([metrics, episodes]) => {
        this.#windowUpdates += 1;
        this.#windowTokens += result.tokens;
        this.#waiting.push({ update: result.update, metrics });
        if (episodes !== null) this.#postEpisodes(result.update, episodes);
        if (performance.now() - this.#lastMetrics >= METRICS_EVERY) this.#postMetrics();
      })
      .catch((cause: unknown) => {
        this.#error ??= cause;
      });
  }

  /** Waits for what is still on its way and posts it. */
  async flush(): Promise<void> {
    await this.#pending;
    if (this.#error !== null) throw this.#error;
    if (this.#waiting.length > 0) this.#postMetrics();
  }

  #postEpisodes(update: number, episodes: EpisodeView[]): void {
    this.#post({ type: 'episodes', update, episodes });
  }

  #postMetrics(): void {
    const now = performance.now();
    const seconds = Math.max(1e-3, (now - this.#windowStart) / 1000);
    const count = this.#waiting.length;
    const size = this.#members * this.#columns;
    const values = new Float32Array(count * size);
    this.#waiting.forEach(({ metrics }, i) => {
      values.set(metrics, i * size);
    });
    const throughput = {
      updatesPerSecond: this.#windowUpdates / seconds,
      tokensPerSecond: this.#windowTokens / seconds,
    };
    const update = this.#waiting[0]?.update ?? 0;
    this.#post({ type: 'metrics', update, count, members: this.#members, values, throughput }, [values.buffer]);
    this.#waiting = [];
    this.#lastMetrics = now;
    this.restart();
  }
}
