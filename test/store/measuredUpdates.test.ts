/** Bounded list of a run's measurements: always the newest, one for each update, no more than the limit. */
import { expect, test } from 'vitest';
import { keepMeasured } from '../../src/store/run/measuredUpdates';

interface Measured {
  readonly update: number;
}

const of = (update: number): Measured => ({ update });

test('a long run keeps its newest measurement and thins the earlier ones', () => {
  let kept: Measured[] = [];
  for (let update = 0; update < 5000; update += 10) {
    kept = keepMeasured(kept, of(update));
    expect(kept.at(-1)?.update).toBe(update);
  }
  expect(kept.length).toBeGreaterThan(90);
  expect(kept.length).toBeLessThanOrEqual(200);
  const early = kept.filter(({ update }) => update < 2500).length;
  expect(early).toBeGreaterThan(20);
});

test('what is computed again after a loss takes the place of what was there', () => {
  const before = [0, 10, 20].map(of);
  const again = of(10);
  expect(keepMeasured(before, again)).toEqual([before[0], again]);
  expect(keepMeasured(before, again)[1]).toBe(again);
});
