/**
 * Philox 4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
 * No state: the value at a counter can be drawn again at any time, by TypeScript and by the kernels alike
 * (shaders/lib/philox.wgsl is the same function), so any token of any update can be re-drawn.
 *
 * Convention in the lab: key = (experiment seed, stream), counter = (seed index, update, item, token), where the item is
 * a trajectory, a task or a parameter. The arm is not part of the key: two identical arms draw identical numbers.
 */

/** Independent uses of randomness under one experiment seed. */
export const STREAM = {
  parameters: 1,
  tasks: 2,
  sampling: 3,
  environment: 4,
  statistics: 5,
  placebo: 6,
  baseline: 7,
  verifier: 8,
  evaluation: 9,
  demonstrations: 10,
  curriculum: 11,
  resampling: 12,
  hindsight: 13,
  dream: 14,
  otherActions: 15,
  minibatches: 16,
  replay: 17,
  inverse: 18,
  steering: 19,
  relay: 20,
} as const;

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;

/** High 32 bits of the 64-bit product of two unsigned 32-bit integers. */
function multiplyHigh(a: number, b: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const bHigh = b >>> 16;
  const bLow = b & 0xffff;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const middleLow = (middle & 0xffff) + aLow * bHigh;
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(middleLow / 65536)) >>> 0;
}

/** Four uniform 32-bit integers for a 128-bit counter and a 64-bit key. `out` is written and returned. */
export function philox4x32(
  counter: readonly [number, number, number, number],
  key: readonly [number, number],
  out: Uint32Array = new Uint32Array(4),
): Uint32Array {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0 >>> 0);
    const low0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    const high1 = multiplyHigh(MULTIPLIER_1, c2 >>> 0);
    const low1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  return out;
}

/** A 32-bit integer as a float in (0, 1): the top 23 bits plus a half, exact in float32, so never 0 or 1. */
export function toUnitFloat(bits: number): number {
  return ((bits >>> 9) + 0.5) / 8388608;
}

/** Draws one after the other: draw i after a seek is the word i % 4 of the Philox block whose counter ends with i / 4. */
export class Draws {
  readonly #key: [number, number] = [0, 0];
  readonly #counter: [number, number, number, number] = [0, 0, 0, 0];
  readonly #block = new Uint32Array(4);
  #used = 4;

  /** Goes to the first draw of a 64-bit key and of the first 96 bits of a counter. */
  protected seekBlock(key0: number, key1: number, counter0: number, counter1: number, counter2: number): void {
    this.#key[0] = key0 >>> 0;
    this.#key[1] = key1 >>> 0;
    this.#counter[0] = counter0 >>> 0;
    this.#counter[1] = counter1 >>> 0;
    this.#counter[2] = counter2 >>> 0;
    this.#counter[3] = 0;
    this.#used = 4;
  }

  /** Uniform 32-bit integer. */
  bits(): number {
    if (this.#used === 4) {
      philox4x32(this.#counter, this.#key, this.#block);
      this.#counter[3] = (this.#counter[3] + 1) >>> 0;
      this.#used = 0;
    }
    return this.#block[this.#used++];
  }

  /** Uniform in (0, 1). */
  unit(): number {
    return toUnitFloat(this.bits());
  }

  /** Uniform integer in [0, bound), without modulo bias (rejection). */
  below(bound: number): number {
    const limit = Math.floor(4294967296 / bound) * bound;
    for (;;) {
      const bits = this.bits();
      if (bits < limit) return bits % bound;
    }
  }
}

/** A stream of draws for environments and initialisation: a key for each experiment and use, a counter for each item. */
export class RandomStream extends Draws {
  constructor(experimentSeed: number, stream: number, seedIndex: number, update: number, item: number) {
    super();
    this.seekBlock(experimentSeed, stream, seedIndex, update, item);
  }

  /** Standard normal (Box–Muller, one of the pair). */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(this.unit()));
    return radius * Math.cos(2 * Math.PI * this.unit());
  }
}
