/**
 * Chance inside an environment: a stream of Philox draws for each turn of a task, keyed by an integer of the task. The same
 * task and actions always get the same draws. So an episode can be replayed, and the trajectories of a group differ by
 * their actions and not by luck.
 */
import { philox4x32, STREAM, toUnitFloat } from '../foundation/philox';

export class Dice {
  readonly #key: [number, number] = [0, STREAM.environment];
  readonly #counter: [number, number, number, number] = [0, 0, 0, 0];
  readonly #block = new Uint32Array(4);
  #used = 4;

  /** Goes to the first draw of a turn. */
  seek(seed: number, turn: number): void {
    this.#key[0] = seed >>> 0;
    this.#counter[0] = turn;
    this.#counter[3] = 0;
    this.#used = 4;
  }

  bits(): number {
    if (this.#used === 4) {
      philox4x32(this.#counter, this.#key, this.#block);
      this.#counter[3] += 1;
      this.#used = 0;
    }
    return this.#block[this.#used++];
  }

  /** Uniform in (0, 1). */
  unit(): number {
    return toUnitFloat(this.bits());
  }

  /** Uniform integer in [0, bound), without bias. */
  below(bound: number): number {
    const limit = Math.floor(4294967296 / bound) * bound;
    for (;;) {
      const bits = this.bits();
      if (bits < limit) return bits % bound;
    }
  }
}

/** Entropy −Σ p ln p of a coin, nats. */
export function coinEntropy(chance: number): number {
  if (chance <= 0 || chance >= 1) return 0;
  return -chance * Math.log(chance) - (1 - chance) * Math.log(1 - chance);
}
