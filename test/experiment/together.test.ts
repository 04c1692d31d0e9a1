// Sweeps of one arm: the experiment made from it, how a sweep is recognised, and the finding that its seeds allow.
import { describe, expect, test } from 'vitest';
import { liveNumbers } from '../../src/experiment/arm/ownLossSettings';
import { judgeSweep, type SweepFinding, sweepInWords } from '../../src/experiment/grid/sweepFinding';
import { findSweep, findSweepable, readValues, sweepOf, usualValues } from '../../src/experiment/grid/together';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { firstPreset, presets } from '../../src/experiment/presets/presets';

const { experiment } = firstPreset;
const arm = experiment.arms.find(({ id }) => id === 'world-model') as (typeof experiment.arms)[number];
const lambdas = usualValues(findSweepable(arm, 'ce.observation'), arm);

describe('a sweep', () => {
  test('is the arm once a value, everything else as it was, and survives its link', () => {
    expect(lambdas).toEqual([0, 0.01, 0.03, 0.1, 0.3, 1, 3]);
    const swept = sweepOf(experiment, 'world-model', 'ce.observation', lambdas);
    expect(swept.arms.map(({ ce }) => ce.observation)).toEqual(lambdas);
    expect(swept.arms.map(({ name }) => name)).toContain('λ = 0.03');
    for (const one of swept.arms) {
      expect({ ...one, ce: { ...one.ce, observation: 0.1 } }).toEqual({ ...arm, id: one.id, name: one.name });
    }
    expect({ ...swept, arms: [], title: '' }).toEqual({ ...experiment, arms: [], title: '' });
    expect(decodeLink(encodeLink(swept))).toEqual(swept);
    expect(findSweep(swept.arms)).toMatchObject({ name: 'λ', values: lambdas, setting: { path: 'ce.observation' } });
  });

  test('of a fixed policy is refused: nothing is learned', () => {
    const arms = experiment.arms.map((one) => ({ ...one, fixedPolicy: 'ab'.repeat(32) }));
    expect(() => sweepOf({ ...experiment, arms }, 'world-model', 'temperature', [0.5, 1])).toThrow(
      `${arm.name} is a fixed policy and learns nothing: there is nothing to sweep. Choose an arm that trains.`,
    );
  });

  test('keeps planned changes, but for those that would replace its values or are other arms’', () => {
    const change = (update: number, armId: string, setting: string, value: number | string) => {
      return { update, arm: armId, setting, value };
    };
    const timeline = [
      change(5, 'world-model', 'learningRate', 0.01),
      change(6, '*', 'clipLow', 0.1),
      change(7, 'no-mask', 'clipLow', 0.3),
      change(8, 'world-model', 'ce.observation', 0.5),
      change(9, '*', 'objective', 'grpo'),
    ];
    const swept = sweepOf({ ...experiment, timeline }, 'world-model', 'ce.observation', [0, 1]);
    expect(swept.timeline).toEqual([change(5, '*', 'learningRate', 0.01), change(6, '*', 'clipLow', 0.1)]);
  });

  test('has one change where all arms and the arm itself had one, the one that had the last word', () => {
    const change = (armId: string, value: number) => ({ update: 5, arm: armId, setting: 'clipLow', value });
    const timeline = [change('*', 0.1), change('world-model', 0.4)];
    const both = sweepOf({ ...experiment, timeline }, 'world-model', 'ce.observation', [0, 1]);
    expect(both.timeline).toEqual([change('*', 0.4)]);
    const other = sweepOf({ ...experiment, timeline: timeline.toReversed() }, 'world-model', 'ce.observation', [0, 1]);
    expect(other.timeline).toEqual([change('*', 0.1)]);
  });

  test.each([
    ['more members than fit', { ...experiment, seeds: 10 }, 'ce.observation', lambdas, /70 policies; at most 64/],
    ['a value out of bounds', experiment, 'ce.observation', [0, -1], /must lie between/],
    ['a setting that needs a restart', experiment, 'warmStart', [0, 1], /arms trained together/],
    ['a setting that is no number', experiment, 'surrogate', [0, 1], /arms trained together/],
  ])('of %s is refused in words', (_, from, path, values, words) => {
    expect(() => sweepOf(from, 'world-model', path, values)).toThrow(words);
  });

  test.each([
    ['0, .01; 1  0', [0, 0.01, 1]],
    ['3 1', [1, 3]],
  ])('“%s” are values', (text, values) => {
    expect(readValues(text)).toEqual(values);
  });

  test.each(['1, x', '1', '1 2 3 4 5 6 7 8 9'])('“%s” are none', (text) => {
    expect(() => readValues(text)).toThrow(/no number|2 to 8/);
  });

  test('has usual values for every setting, inside its bounds', () => {
    for (const setting of liveNumbers(arm)) {
      const values = usualValues(setting, arm);
      expect(values.every((value) => value >= setting.min && value <= setting.max)).toBe(true);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  test('no preset is taken for one, nor arms that differ in more than a number', () => {
    expect(presets.filter((preset) => findSweep(preset.experiment.arms) !== null)).toEqual([]);
    const swept = sweepOf(experiment, 'world-model', 'ce.observation', [0, 0.1, 1]).arms;
    expect(findSweep(swept)).not.toBeNull();
    expect(findSweep(swept.slice(0, 2))).toBeNull();
    expect(findSweep(swept.map((one, index) => ({ ...one, clipLow: index === 0 ? 0.1 : one.clipLow })))).toBeNull();
  });
});

describe('its finding', () => {
  // numpy.mean and scipy.stats.t.interval(0.95, 3, loc=d.mean(), scale=d.std(ddof=1)/2) of d = best − other: 0.79 (0.758 to
  // 0.822), 0.55 (0.493 to 0.607), 0.015 (−0.072 to 0.102), 0.67 (0.575 to 0.765).
  const seeds = [
    [0.1, 0.14, 0.12, 0.16],
    [0.3, 0.42, 0.35, 0.41],
    [0.9, 0.94, 0.88, 0.96],
    [0.86, 0.97, 0.8, 0.99],
    [0.2, 0.24, 0.3, 0.26],
  ];

  test('names the best and those that cannot be told from it', () => {
    expect(judgeSweep(seeds)).toEqual({
      best: 2,
      mean: expect.closeTo(0.92, 9),
      standings: ['worse', 'worse', 'best', 'undecided', 'worse'],
      isBent: true,
      isAtEnd: false,
    });
  });

  test('sees the end of the range, too few seeds, and nothing measured', () => {
    expect(judgeSweep(seeds.slice(0, 3))).toMatchObject({ best: 2, isAtEnd: true, isBent: false });
    const single = judgeSweep(seeds.map((values) => values.slice(0, 1)));
    expect(single?.standings).toEqual(['too-few-seeds', 'too-few-seeds', 'best', 'too-few-seeds', 'too-few-seeds']);
    expect(judgeSweep([[Number.NaN], [Number.NaN]])).toBeNull();
  });

  test('in words says no more than the seeds can carry', () => {
    const say = (numbers: readonly number[][]) =>
      sweepInWords({ finding: judgeSweep(numbers) as SweepFinding, values: [0, 0.03, 0.1, 0.3, 3], name: 'λ' });
    expect(say(seeds)).toBe(
      'λ = 0.1 has the highest mean (92%). Not enough seeds to tell it from 0.3. 0, 0.03 and 3 are worse. ' +
        'Too little and too much are both worse: an inverted U.',
    );
    expect(say(seeds.slice(0, 3))).toBe(
      'λ = 0.1 has the highest mean (92%), and every other value is worse. ' +
        'It stands at the end of the range: values beyond may do better.',
    );
    expect(say(seeds.slice(2, 4))).toBe(
      'λ = 0 has the highest mean (92%): not enough seeds to tell it from any other value.',
    );
    expect(say(seeds.map((values) => values.slice(0, 1)))).toBe(
      'λ = 0.1 has the highest mean (90%): not enough seeds to tell it from the others.',
    );
  });
});
