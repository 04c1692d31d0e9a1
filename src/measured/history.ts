/**
 * Measurements of one run: one growing array of float32, [updates, members, METRICS.length]. A long run costs four
 * bytes a number and no objects. Undefined measurements are NaN. Statistics are in curves.ts.
 */
import { METRIC, METRICS, type MetricName } from '../rl/measure/metrics';

const COLUMNS = METRICS.length;

export class MetricHistory {
  readonly arms: number;
  readonly seeds: number;
  readonly #members: number;
  #values: Float32Array;
  /** Training time of each update, seconds; NaN if not known. */
  #seconds: Float32Array;
  #count = 0;

  /** `room`: updates that fit before the array must grow. */
  constructor(arms: number, seeds: number, room = 256) {
    this.arms = arms;
    this.seeds = seeds;
    this.#members = arms * seeds;
    this.#values = new Float32Array(room * this.#members * COLUMNS).fill(Number.NaN);
    this.#seconds = new Float32Array(room).fill(Number.NaN);
  }

  /** History of a run that is over. It takes the arrays that `values` and `seconds` gave, without a copy. */
  static of(arms: number, seeds: number, values: Float32Array, seconds: Float32Array): MetricHistory {
    const history = new MetricHistory(arms, seeds, 0);
    history.#values = values;
    history.#seconds = seconds;
    history.#count = seconds.length;
    return history;
  }

  /** History of the first updates of this one, in memory of its own. */
  until(updates: number): MetricHistory {
    const values = this.#values.slice(0, updates * this.#members * COLUMNS);
    return MetricHistory.of(this.arms, this.seeds, values, this.#seconds.slice(0, updates));
  }

  /** Updates recorded so far. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds metrics of several updates, [count, members, METRICS.length], and the seconds each took, [count]. False if they
   * are of another population, and then nothing is added.
   */
  append(firstUpdate: number, count: number, members: number, values: Float32Array, seconds?: Float32Array): boolean {
    if (members !== this.#members || values.length !== count * members * COLUMNS) return false;
    this.#reserve(firstUpdate + count);
    this.#values.set(values, firstUpdate * members * COLUMNS);
    if (seconds !== undefined) this.#seconds.set(seconds, firstUpdate);
    this.#count = Math.max(this.#count, firstUpdate + count);
    return true;
  }

  at(update: number, arm: number, seed: number, metric: MetricName): number {
    if (update < 0 || update >= this.#count) return Number.NaN;
    const member = arm * this.seeds + seed;
    return this.#values[(update * this.#members + member) * COLUMNS + METRIC[metric]] ?? Number.NaN;
  }

  /** True if two arms have the same measurements so far, to the bit, and there are some. */
  areSame(first: number, second: number): boolean {
    const width = this.seeds * COLUMNS;
    for (let update = 0; update < this.#count; update++) {
      const row = update * this.#members * COLUMNS;
      for (let i = 0; i < width; i++) {
        const [one, other] = [this.#values[row + first * width + i], this.#values[row + second * width + i]];
        if (!Object.is(one, other)) return false;
      }
    }
    return this.#count > 0;
  }

  /** Training time of an update, seconds; NaN if not known. */
  secondsOf(update: number): number {
    return update < this.#count ? (this.#seconds[update] as number) : Number.NaN;
  }

  /** Training times of all updates, a copy. */
  seconds(): Float32Array {
    return this.#seconds.slice(0, this.#count);
  }

  /** All metrics, [updates, members, METRICS.length], a copy. */
  values(): Float32Array {
    return this.#values.slice(0, this.#count * this.#members * COLUMNS);
  }

  /** One seed's curve. */
  curve(arm: number, seed: number, metric: MetricName): Float32Array {
    const curve = new Float32Array(this.#count);
    const stride = this.#members * COLUMNS;
    const first = (arm * this.seeds + seed) * COLUMNS + METRIC[metric];
    for (let update = 0; update < this.#count; update++)
      curve[update] = this.#values[first + update * stride] as number;
    return curve;
  }

  /** One value a seed; NaN where nothing was measured. */
  ofSeeds(update: number, arm: number, metric: MetricName): number[] {
    return Array.from({ length: this.seeds }, (_, seed) => this.at(update, arm, seed, metric));
  }

  /** One value a seed: its mean over the last `updates` updates, as in `meanOfSeeds`. */
  lastOfSeeds(arm: number, metric: MetricName, updates: number): number[] {
    return this.meanOfSeeds(arm, metric, this.#count - updates, this.#count);
  }

  /**
   * One value a seed: its mean over the measured updates of first … end − 1; NaN if there is none. Means over seeds are
   * taken of these values: a seed is one observation, however many of its updates were measured.
   */
  meanOfSeeds(arm: number, metric: MetricName, first: number, end: number): number[] {
    return Array.from({ length: this.seeds }, (_, seed) => {
      let sum = 0;
      let measured = 0;
      for (let update = Math.max(0, first); update < end; update++) {
        const value = this.at(update, arm, seed, metric);
        if (Number.isNaN(value)) continue;
        sum += value;
        measured += 1;
      }
      return measured === 0 ? Number.NaN : sum / measured;
    });
  }

  #reserve(updates: number): void {
    const needed = updates * this.#members * COLUMNS;
    if (needed <= this.#values.length) return;
    const grown = new Float32Array(Math.max(needed, 2 * this.#values.length)).fill(Number.NaN);
    grown.set(this.#values);
    this.#values = grown;
    const seconds = new Float32Array(grown.length / (this.#members * COLUMNS)).fill(Number.NaN);
    seconds.set(this.#seconds);
    this.#seconds = seconds;
  }
}
