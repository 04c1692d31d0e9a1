import { describe, expect, it } from 'vitest';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { initialParameters, layoutParameters, parameterSize } from '../../src/policy/parameters';

const configuration: PolicyConfiguration = {
  layers: 2,
  width: 64,
  heads: 4,
  context: 32,
  vocabulary: 48,
  positions: 'learned',
  activation: 'relu',
  initialisation: 'normal',
  initialScale: 0.05,
};

/** Standard deviations by parameter, as drawn for one seed. */
function deviations(change: Partial<PolicyConfiguration>): (name: string) => number {
  const layout = layoutParameters({ ...configuration, ...change });
  const values = initialParameters(layout, 7, 0);
  return (name) => {
    const spec = layout.specs.find((one) => one.name === name);
    if (spec === undefined) throw new RangeError(name);
    const own = values.subarray(spec.offset, spec.offset + parameterSize(spec));
    return Math.sqrt(own.reduce((sum, value) => sum + value * value, 0) / own.length);
  };
}

/** Within 6%: the smallest matrix here has 2,048 weights, so four standard errors of its deviation are 6.3%. */
const near = (value: number): unknown => expect.toSatisfy((found: number) => Math.abs(found / value - 1) < 0.06);

describe('initial weights', () => {
  it('normal: one scale everywhere, the head small', () => {
    const sd = deviations({});
    for (const name of ['tokens', 'positions', 'layer1.qkv.weight', 'layer0.projection.weight', 'layer1.down.weight']) {
      expect(sd(name), name).toEqual(near(0.05));
    }
    expect(sd('head.weight')).toEqual(near(0.02));
  });

  it('fan-in: one over the root of the inputs, the head small', () => {
    const sd = deviations({ initialisation: 'fan-in' });
    for (const name of ['tokens', 'positions', 'layer0.qkv.weight', 'layer1.projection.weight', 'layer0.up.weight']) {
      expect(sd(name), name).toEqual(near(1 / 8));
    }
    expect(sd('layer0.down.weight')).toEqual(near(1 / 16));
    expect(sd('head.weight')).toEqual(near(0.02));
  });

  it('gpt-2: 0.02, and divided by the root of the summands of the residual stream where it is written', () => {
    for (const layers of [1, 2]) {
      const sd = deviations({ initialisation: 'gpt-2', layers });
      for (const name of ['tokens', 'positions', 'layer0.qkv.weight', 'layer0.up.weight', 'head.weight']) {
        expect(sd(name), name).toEqual(near(0.02));
      }
      for (const name of ['layer0.projection.weight', 'layer0.down.weight']) {
        expect(sd(name), name).toEqual(near(0.02 / Math.sqrt(2 * layers)));
      }
    }
  });

  it('draws the same numbers whatever their width: only the scale is another', () => {
    const of = (change: Partial<PolicyConfiguration>) =>
      initialParameters(layoutParameters({ ...configuration, ...change }), 7, 0).subarray(0, 48 * 64);
    const [normal, fanIn] = [of({}), of({ initialisation: 'fan-in' })];
    expect(Math.max(...normal.map((value, i) => Math.abs((fanIn[i] ?? 0) - 2.5 * value)))).toBeLessThan(1e-6);
  });
});
