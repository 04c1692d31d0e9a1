/**
 * Cosines and sines of rotary positions (RoFormer, arXiv 2104.09864), computed once per head width and theta in float64 and kept
 * in linear memory: [T, 2, D], cosines each twice, then sines as (−sin, sin) pairs.
 */
import type { Address } from './kernels';
import type { LinearMemory } from './memory';

export class RotaryAngles {
  readonly #memory: LinearMemory;
  readonly #tables = new Map<string, { address: Address; positions: number }>();

  constructor(memory: LinearMemory) {
    this.#memory = memory;
  }

  /** The table for heads of width D, at least `positions` long. */
  table(D: number, theta: number, positions: number): Address {
    const name = `${D}, ${theta}`;
    const known = this.#tables.get(name);
    if (known !== undefined && known.positions >= positions) return known.address;
    const length = Math.max(64, 2 ** Math.ceil(Math.log2(positions)));
    const address = this.#memory.reserve(length * 2 * D * 4, 'rotary angles');
    const angles = this.#memory.f32.subarray(address / 4, address / 4 + length * 2 * D);
    for (let position = 0; position < length; position++) {
      const cosines = position * 2 * D;
      const sines = cosines + D;
      for (let i = 0; i < D; i += 2) {
        const angle = position * theta ** (-i / D);
        angles[cosines + i] = angles[cosines + i + 1] = Math.cos(angle);
        angles[sines + i + 1] = Math.sin(angle);
        angles[sines + i] = -Math.sin(angle);
      }
    }
    this.#tables.set(name, { address, positions: length });
    return address;
  }
}
