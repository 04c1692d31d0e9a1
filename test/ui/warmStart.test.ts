/** Points of the warm start's charts: each arm's mean over its seeds, nothing for arms without a warm start. */
import { expect, test } from 'vitest';
import { defaultArm } from '../../src/experiment/experiment';
import { WARM_START_METRICS } from '../../src/rl/measure/warmStartReadings';
import { pointOf } from '../../src/ui/places/understand/training/WarmStartCurves';

const arms = [
  defaultArm('cold', 'Cold'),
  { ...defaultArm('warm', 'Warm'), warmStart: 'actions' as const },
  { ...defaultArm('both', 'Both'), warmStart: 'actions-and-observations' as const },
];
const row = (value: number | null) => WARM_START_METRICS.map(() => value);

test('means over the seeds that were measured', () => {
  const cold = [row(null), row(null), row(null)];
  const members = [...cold, row(0.25), row(0.75), row(0.5), row(1), row(null), row(null)];
  const { at, byArm } = pointOf({ step: 15, members }, arms, 3);
  expect(at).toBe(15);
  expect(Object.keys(byArm)).toEqual(['warm', 'both']);
  expect(byArm.warm).toHaveLength(WARM_START_METRICS.length);
  expect(byArm.warm?.[0]?.value).toBe(0.5);
  const [low, high] = byArm.warm?.[0]?.band ?? [Number.NaN, Number.NaN];
  expect((low + high) / 2).toBeCloseTo(0.5, 12);
  expect(byArm.both?.[0]).toEqual({ value: 1, band: null });
});
