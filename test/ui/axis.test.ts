/** A chart's vertical axis by hand: what was asked for where it can be drawn, and the usual one where it cannot. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createPreferences } from '../../src/store/keep/preferences';
import { logTicks, SHARES } from '../../src/ui/kit/plot/axes';
import { axisByHand, isByHand } from '../../src/ui/model/charts/drawn/axisByHand';
import { valueAxis } from '../../src/ui/model/charts/drawn/scale';

const AS_IS = { log: false, low: null, high: null };

describe('a range', () => {
  test('is drawn as asked, its open end as usual', () => {
    expect(axisByHand(SHARES, { ...AS_IS, low: 0.8 }, null)).toEqual({
      domain: [0.8, 1],
      ticks: [0.8, 0.85, 0.9, 0.95, 1],
      log: false,
    });
    expect(axisByHand(SHARES, AS_IS, null)).toMatchObject({ domain: [0, 1], log: false });
    expect(axisByHand(SHARES, { log: false, low: 0.9, high: 0.2 }, null)).toBe(SHARES);
  });

  test('is that of the chart whose it is', () => {
    const points = [{ update: 0, at: [0, 0], mean: [0.5, 4], band: [null, null] }];
    const axis = valueAxis({ axis: 'positive' }, points, null, 'clipped', { log: true, low: null, high: null });
    expect(axis).toMatchObject({ domain: [0.5, expect.any(Number)], log: true });
    expect(valueAxis({ axis: 'positive' }, points, null, 'clipped')).toMatchObject({ domain: [0, 6], log: false });
  });
});

test.each([
  [0.3, 0.3],
  [0.38, 0.4],
  [50, 0.4],
])('a band up to %d ends the axis at %d: of one far wider than its curve the end is cut', (high, top) => {
  const points = [0.1, 0.29].map((mean, at) => ({ update: at, at: [at], mean: [mean], band: [[mean, high] as const] }));
  expect(valueAxis({ axis: 'free' }, points, null, 'whole').domain[1]).toBeCloseTo(top);
});

describe('a logarithmic axis', () => {
  test('begins above 0: at the least that is drawn, or a thousandth of its top', () => {
    expect(axisByHand(SHARES, { ...AS_IS, log: true }, 0.02)).toMatchObject({ domain: [0.02, 1], log: true });
    expect(axisByHand(SHARES, { ...AS_IS, log: true }, null)).toMatchObject({ domain: [0.001, 1], log: true });
    expect(axisByHand(SHARES, { log: true, low: -3, high: 2 }, 0.5)).toMatchObject({ domain: [0.5, 2], log: true });
  });

  test.each([
    [0.001, 1, [0.001, 0.01, 0.1, 1]],
    [1, 5, [1, 2, 4]],
    [3, 3.5, [3, 3.5]],
    [1e-9, 1e9, expect.any(Array)],
  ])('from %d to %d has few ticks, within it', (low, high, ticks) => {
    const found = logTicks(low, high);
    expect(found).toEqual(ticks);
    expect(found.length).toBeLessThanOrEqual(8);
    expect(found.every((tick) => tick >= low * 0.999 && tick <= high * 1.001)).toBe(true);
  });
});

describe('what is kept', () => {
  const saved = new Map<string, string>();
  beforeEach(() => {
    saved.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => saved.get(key) ?? null,
      setItem: (key: string, text: string) => saved.set(key, text),
    });
    return () => vi.unstubAllGlobals();
  });

  test('comes back, and what is no axis does not', () => {
    const axis = { log: true, low: null, high: 3 };
    createPreferences().setState({ axes: { entropy: axis } });
    expect(createPreferences().getState().axes).toEqual({ entropy: axis });
    saved.set('unmask.preferences', JSON.stringify({ axes: { kl: { log: 1 }, entropy: axis, return: null } }));
    expect(createPreferences().getState().axes).toEqual({ entropy: axis });
    saved.set('unmask.preferences', JSON.stringify({ axes: 7 }));
    expect(createPreferences().getState().axes).toEqual({});
  });
});

test('an axis is by hand once anything of it is', () => {
  expect(isByHand(AS_IS)).toBe(false);
  for (const set of [{ log: true }, { low: 0 }, { high: 1 }]) expect(isByHand({ ...AS_IS, ...set })).toBe(true);
});
