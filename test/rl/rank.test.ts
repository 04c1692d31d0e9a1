import { describe, expect, it } from 'vitest';
import { effectiveRank } from '../../src/rl/look/probes/rank';

describe('effective rank', () => {
  it('of a line is 1, wherever it lies', () => {
    const x = [1, 2, 2, 4, 3, 6, 4, 8].map((value) => value + 10);
    expect(effectiveRank(x, [0, 1, 2, 3], 2)).toBeCloseTo(1, 12);
  });

  it('of equal spread in every direction is the width', () => {
    const x = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
    expect(effectiveRank(x, [0, 1, 2, 3, 4, 5], 3)).toBeCloseTo(3, 12);
  });

  it('of variances 4 and 1 is 25 / 17, and reads only the rows it is given', () => {
    const x = [2, 0, -2, 0, 0, 1, 0, -1, 99, 99];
    expect(effectiveRank(x, [0, 1, 2, 3], 2)).toBeCloseTo(25 / 17, 12);
  });

  it('of a point is 0', () => {
    expect(effectiveRank([3, 4, 3, 4], [0, 1], 2)).toBe(0);
  });
});
