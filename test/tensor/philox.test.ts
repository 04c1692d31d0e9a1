/** Philox 4x32-10 against the known answers that its authors publish with Random123 (kat_vectors, "philox4x32 10"). */
import { describe, expect, test } from 'vitest';
import { philox4x32, RandomStream, toUnitFloat } from '../../src/foundation/philox';

const KNOWN_ANSWERS = [
  { counter: [0, 0, 0, 0], key: [0, 0], words: [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8] },
  {
    counter: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    key: [0xffffffff, 0xffffffff],
    words: [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  },
  {
    counter: [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    key: [0xa4093822, 0x299f31d0],
    words: [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  },
] as const;

describe('philox4x32', () => {
  test.each(KNOWN_ANSWERS)('gives the published words for key $key', ({ counter, key, words }) => {
    expect([...philox4x32(counter, key)]).toEqual(words);
  });
});

describe('toUnitFloat', () => {
  test.each([
    [0, 2 ** -24],
    [0x1ff, 2 ** -24],
    [0x200, 3 * 2 ** -24],
    [0x80000000, 0.5 + 2 ** -24],
    [0xffffffff, 1 - 2 ** -24],
  ])('takes the top 23 bits of %i and a half', (bits, expected) => {
    expect(toUnitFloat(bits)).toBe(expected);
  });

  test('is exact in float32 and never 0 or 1', () => {
    for (const bits of [0, 0xffffffff, 0x12345678, 0xfffffe00]) {
      const value = toUnitFloat(bits);
      expect(Math.fround(value)).toBe(value);
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1);
    }
  });
});

describe('RandomStream', () => {
  test('draws the words of consecutive counters in order', () => {
    const stream = new RandomStream(7, 2, 3, 4, 5);
    const words = [0, 1, 2].flatMap((token) => [...philox4x32([3, 4, 5, token], [7, 2])]);
    expect(words.map(() => stream.bits())).toEqual(words);
  });

  test('has the mean and variance of what it says it draws', () => {
    const stream = new RandomStream(1, 1, 1, 1, 1);
    const draws = Array.from({ length: 20_000 }, () => stream.normal());
    const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
    const variance = draws.reduce((a, b) => a + (b - mean) ** 2, 0) / draws.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  });

  test('draws every integer below a bound equally often', () => {
    const stream = new RandomStream(1, 2, 1, 1, 1);
    const counts = [0, 0, 0];
    for (let i = 0; i < 3000; i++) {
      const drawn = stream.below(3);
      counts[drawn] = (counts[drawn] as number) + 1;
    }
    // Binomial with standard deviation 26.
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });
});
