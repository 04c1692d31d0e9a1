/**
 * Reporter of finished updates to the page: metrics in batches a few times a second, episodes less often. Of a run's code
 * only this reads clocks; they decide when something is shown, never what is computed.
 */
import type { Experiment } from '../../experiment/experiment';
import { METRICS } from '../../rl/measure/metrics';
import { GradientWatch, nonFiniteWords } from '../../rl/measure/nonFinite';
import type { Member } from '../../rl/population';
import type { EpisodeView } from '../looks/shown';
import type { TrainerUpdate } from '../population/training';
import type { TrainerEvent } from '../protocol';
import type { UpdateMeasurements } from './curvePieces';
import { RecentMetrics } from './recentMetrics';

/** Milliseconds between metric batches, and between episodes. */
const METRICS_EVERY = 250;
const EPISODES_EVERY = 1000;

/** Sends the page an event, and hands it the memory of `transfer`. */
export type Post = (event: TrainerEvent, transfer?: Transferable[]) => void;

interface Waiting {
  readonly update: number;
  readonly metrics: Float64Array;
  /** Seconds of training of the update. */
  readonly seconds: number;
}

export class Reporter {
  readonly #post: Post;
  readonly #experiment: () => Experiment;
  readonly #measured: (update: number, row: UpdateMeasurements) => void;
  readonly #gradients: GradientWatch;
  readonly #recent = new RecentMetrics();
  #pending: Promise<void> = Promise.resolve();
  #waiting: Waiting[] = [];
  #members = 0;
  /** Number of losses of the device so far; results from before the last one are ignored. */
  #era = 0;
  #lastMetrics = 0;
  #lastEpisodes = Number.NEGATIVE_INFINITY;
  /** Window that throughput is measured over: since the last batch. */
  #windowStart = 0;
  #windowUpdates = 0;
  #windowTokens = 0;
  /** Time when the last update's numbers arrived, or training went on, milliseconds. */
  #since = 0;
  #error: unknown = null;

  /** `experiment`: with the timeline up to that moment. `measured` is called with each update's measurements, in order. */
  constructor(
    post: Post,
    experiment: () => Experiment,
    measured: (update: number, row: UpdateMeasurements) => void = () => {},
  ) {
    this.#post = post;
    this.#experiment = experiment;
    this.#measured = measured;
    this.#gradients = new GradientWatch(experiment);
  }

  /** Takes up the measurements of a run that goes on. curves: [updates, P, METRICS.length], flat. */
  recall(curves: Float32Array, members: readonly Member[]): void {
    this.#recent.recall(curves, members.length);
    const size = members.length * METRICS.length;
    for (let at = 0; at < curves.length; at += size) {
      this.#gradients.add(at / size, curves.subarray(at, at + size), members);
    }
  }

  /** Forgets the measurements from an update on. */
  goBack(update: number): void {
    this.forget();
    this.#recent.cut(update);
    this.#gradients.forget();
  }

  get gradients(): GradientWatch {
    return this.#gradients;
  }

  /** Starts the clocks when training begins or continues: paused time does not count. */
  restart(): void {
    this.#since = performance.now();
    this.#openWindow();
  }

  #openWindow(): void {
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

  /** Reports an update when its numbers arrive, in order; does not wait. Throws the error of an earlier one. */
  add(result: TrainerUpdate, members: readonly Member[]): void {
    const arrived = Promise.all([result.metrics, result.episodes, result.diagnosis]);
    // A failure is handled below, once earlier results have arrived, or never if one of those has failed.
    arrived.catch(() => {});
    if (this.#error !== null) throw this.#error;
    this.#members = members.length;
    if (result.episodes !== null) this.#lastEpisodes = performance.now();
    const era = this.#era;
    this.#pending = this.#pending
      .then(() => arrived)
      .then(([metrics, episodes, diagnosis]) => {
        if (era !== this.#era) return;
        this.#windowUpdates += 1;
        this.#windowTokens += result.tokens;
        const now = performance.now();
        const seconds = (now - this.#since) / 1000;
        this.#waiting.push({ update: result.update, metrics, seconds });
        this.#since = now;
        this.#recent.add(result.update, metrics);
        this.#watchGradients(result.update, metrics, members);
        this.#measured(result.update, { metrics, seconds, tokens: result.tokens });
        if (episodes !== null) this.#postEpisodes(result.update, episodes);
        if (diagnosis !== null) this.#post({ type: 'diagnosis', diagnosis });
        if (performance.now() - this.#lastMetrics >= METRICS_EVERY) this.#postMetrics();
      })
      .catch((cause: unknown) => {
        if (era === this.#era) this.#error ??= cause;
      });
  }

  /** Posts results that have arrived and drops those under way; call when the device was lost. */
  forget(): void {
    this.#era += 1;
    this.#error = null;
    this.#pending = Promise.resolve();
    if (this.#waiting.length > 0) this.#postMetrics();
  }

  /** Recent metrics, with every update added until now. */
  async recentMetrics(): Promise<RecentMetrics> {
    await this.#pending;
    return this.#recent;
  }

  /** Waits for results under way and posts them. */
  async flush(): Promise<void> {
    await this.#pending;
    if (this.#error !== null) throw this.#error;
    if (this.#waiting.length > 0) this.#postMetrics();
  }

  #watchGradients(update: number, metrics: Float64Array, members: readonly Member[]): void {
    for (const { member, ...found } of this.#gradients.add(update, metrics, members)) {
      const name = this.#experiment().arms[member.armIndex]?.name ?? '';
      const mend = found.formula === undefined ? '' : ' Correct the line.';
      const text = `${nonFiniteWords(`${name}, seed ${member.seed}`, found)}${mend} If it goes on, the page offers a way back.`;
      this.#post({ type: 'notice', kind: 'not-finite', update, text });
    }
  }

  #postEpisodes(update: number, episodes: EpisodeView[]): void {
    this.#post({ type: 'episodes', update, episodes });
  }

  #postMetrics(): void {
    const now = performance.now();
    const window = Math.max(1e-3, (now - this.#windowStart) / 1000);
    const count = this.#waiting.length;
    const size = this.#members * METRICS.length;
    const values = new Float32Array(count * size);
    this.#waiting.forEach(({ metrics }, i) => {
      values.set(metrics, i * size);
    });
    const seconds = Float32Array.from(this.#waiting, (one) => one.seconds);
    const throughput = {
      updatesPerSecond: this.#windowUpdates / window,
      tokensPerSecond: this.#windowTokens / window,
    };
    const update = this.#waiting[0]?.update ?? 0;
    this.#post({ type: 'metrics', update, count, members: this.#members, values, seconds, throughput }, [
      values.buffer,
      seconds.buffer,
    ]);
    this.#waiting = [];
    this.#lastMetrics = now;
    this.#openWindow();
  }
}
