/**
 * Cosines and sines of rotary positions (RoFormer, arXiv 2104.09864), computed once per head width in float64 and kept
 * in linear memory: [T, 2, D], cosines each twice, then sines as (−sin, sin) pairs.
 */
import type { Address } from './kernels';
import type { LinearMemory } from './memory';

const BASE = 10_000;

export class RotaryAngles {
  readonly #memory: LinearMemory;
  readonly #tables = new Map<number, { address: Address; positions: number }>();

  constructor(memory: LinearMemory) {
    this.#memory = memory;
  }

  /** The table for heads of width D, at least `positions` long. */
  table(D: number, positions: number): Address {
    const known = this.#tables.get(D);
    if (known !== undefined && known.positions >= positions) return known.address;
    const length = Math.max(64, 2 ** Math.ceil(Math.log2(positions)));
    const address = this.#memory.reserve(length * 2 * D * 4, 'rotary angles');
    const angles = this.#memory.f32.subarray(address / 4, address / 4 + length * 2 * D);
    for (let position = 0; position < length; position++) {
      const cosines = position * 2 * D;
      const sines = cosines + D;
      for (let i = 0; i < D; i += 2) {
        const angle = position * BASE ** (-i / D);
        angles[cosines + i] = angles[cosines + i + 1] = Math.cos(angle);
        angles[sines + i + 1] = Math.sin(angle);
        angles[sines + i] = -Math.sin(angle);
      }
    }
    this.#tables.set(D, { address, positions: length });
    return address;
  }
}
