/**
 * A member's memory of the tasks it has played: the recent success rate of each. Only the tasks played last are remembered.
 * It is part of a run's state.
 */

/** A task in snapshots: its recent success rate, that of its last play, then the task's integers. */
export type TaskRecord = readonly number[];

/** Tasks remembered at most. */
const CAPACITY = 512;
/** Weight of the newest play in a task's recent rate: policies change, so old plays count little. */
const NEWEST = 0.5;

interface Known {
  readonly task: Int32Array;
  readonly rate: number;
  readonly last: number;
}

export class TaskMemory {
  /** Remembered tasks, in the order of their last plays. */
  readonly #known = new Map<string, Known>();

  /** Recent success rate, 0 … 1; null for a task that is not remembered. */
  rateOf(task: Int32Array): number | null {
    return this.#known.get(task.join())?.rate ?? null;
  }

  /** Mean rate of the tasks remembered; 0 if there are none. */
  get meanRate(): number {
    let sum = 0;
    for (const { rate } of this.#known.values()) sum += rate;
    return this.#known.size === 0 ? 0 : sum / this.#known.size;
  }

  /** Tasks without a success in their last play, the oldest first. */
  get failed(): Int32Array[] {
    return [...this.#known.values()].filter(({ last }) => last === 0).map(({ task }) => task);
  }

  /** Notes a play of a task. last: its success rate. */
  note(task: Int32Array, last: number): void {
    const key = task.join();
    const before = this.#known.get(key)?.rate ?? last;
    this.#known.delete(key);
    this.#known.set(key, { task, rate: before + NEWEST * (last - before), last });
    const [oldest] = this.#known.keys();
    if (this.#known.size > CAPACITY && oldest !== undefined) this.#known.delete(oldest);
  }

  save(): TaskRecord[] {
    return Array.from(this.#known.values(), ({ task, rate, last }) => [rate, last, ...task]);
  }

  restore(records: readonly TaskRecord[]): void {
    this.#known.clear();
    for (const [rate = 0, last = 0, ...fields] of records) {
      const task = Int32Array.from(fields);
      this.#known.set(task.join(), { task, rate, last });
    }
  }
}
