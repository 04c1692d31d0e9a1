/** The strip under the curves: what a mark is called, and where names stand. */
import { describe, expect, test } from 'vitest';
import type { Change, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { roomOf } from '../../src/experiment/timeline';
import { changeInWords, changeWords, nameOfChange } from '../../src/ui/model/changeWords';
import { groupMarks, placeNames, placeOf, updateAt } from '../../src/ui/places/lab/timeline/places';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const change = (update: number, arm: string, setting: string, value: number | string): Change => ({
  update,
  arm,
  setting,
  value,
});
const withChanges = (...timeline: Change[]): Experiment => ({ ...preset, updates: 200, timeline });

describe('a mark is called', () => {
  test('by what it changes, from what it was just before to what it becomes', () => {
    const changes = [
      change(20, 'world-model', 'ce.observation', 0.3),
      change(50, 'world-model', 'ce.observation', 0.2),
    ];
    const experiment = withChanges(...changes);
    const names = changes.map((one) => nameOfChange(changeWords(experiment, one)));
    expect(names).toEqual(['λ 0.1 → 0.3', 'λ 0.3 → 0.2']);
    expect(changeInWords(experiment, changes[1] as Change)).toBe('World model: λ 0.3 → 0.2, from update 50');
  });

  test('without what was where the arms differ in it', () => {
    const all = change(20, '*', 'ce.observation', 0.3);
    expect(nameOfChange(changeWords(withChanges(all), all))).toBe('λ to 0.3');
    const clip = change(20, '*', 'clipHigh', 0.28);
    expect(nameOfChange(changeWords(withChanges(clip), clip))).toMatch(/^clip above [\d.]+ → 0\.28$/);
    expect(changeWords(withChanges(clip), clip).who).toBe('all arms');
  });
});

describe('names stand', () => {
  const names = [
    'λ 0.1 → 0.3',
    'learning rate 0.001 → 0.002',
    'clip above 0.2 → 0.28',
    'temperature 1 → 0.8',
    'λ 0.3 → 0.2',
  ];

  test('within the strip and apart from one another, as many as there is room for', () => {
    for (const width of [120, 200, 355, 800]) {
      const marks = names.map((name, index) => ({ name, at: placeOf(20 + 30 * index, 200, width) }));
      const places = placeNames(marks, width);
      const spans = places.flatMap((place, index) => {
        const size = (names[index] as string).length * 7.2;
        return place === null
          ? []
          : [{ line: place.line, left: place.left, right: place.left + Math.min(size, width) }];
      });
      expect(spans.length).toBeGreaterThan(0);
      for (const [index, one] of spans.entries()) {
        expect(one.left).toBeGreaterThanOrEqual(0);
        expect(one.right).toBeLessThanOrEqual(width + 1e-9);
        for (const other of spans.slice(index + 1)) {
          expect(one.line !== other.line || one.right <= other.left || other.right <= one.left).toBe(true);
        }
      }
    }
  });

  test('all where there is room, in the order of their updates whatever the order of the list', () => {
    const marks = [
      { name: 'b', at: 700 },
      { name: 'a', at: 10 },
    ];
    expect(placeNames(marks, 800).every((place) => place?.line === 0)).toBe(true);
  });

  test('and an update lies where it is dragged to', () => {
    for (const update of [0, 1, 77, 200]) expect(updateAt(placeOf(update, 200, 355), 200, 355)).toBe(update);
  });
});

test('marks that would lie on one another are one, and no two of these are nearer than a finger', () => {
  const at = (...places: number[]) =>
    groupMarks(
      places.map((place) => ({ at: place })),
      355,
    ).map((group) => group.map((mark) => mark.at));
  expect(at()).toEqual([]);
  expect(at(100, 0, 24)).toEqual([[0], [24], [100]]);
  expect(at(10, 33, 20, 34)).toEqual([[10, 20, 33], [34]]);
  expect(at(5, 5)).toEqual([[5, 5]]);
  expect(groupMarks([{ at: 0 }, { at: 0 }], 0)).toHaveLength(2);
  const many = Array.from({ length: 200 }, (_, index) => (index * 7.3) % 355);
  const firsts = at(...many).map(([first = 0]) => first);
  for (const [index, first] of firsts.entries())
    if (index > 0) expect(first - (firsts[index - 1] ?? 0)).toBeGreaterThanOrEqual(24);
  expect(at(...many).flat()).toHaveLength(many.length);
});

test('a mark is moved between those of its setting that concern the same arm', () => {
  const [first, second, third, other] = [
    change(20, 'world-model', 'ce.observation', 0.3),
    change(50, '*', 'ce.observation', 0.2),
    change(90, 'world-model', 'ce.observation', 0.5),
    change(60, 'world-model', 'learningRate', 0.5),
  ] as const;
  const experiment = withChanges(first, second, other, third);
  expect(roomOf(experiment, first)).toEqual([0, 49]);
  expect(roomOf(experiment, second)).toEqual([21, 89]);
  expect(roomOf(experiment, third)).toEqual([51, 199]);
  expect(roomOf(experiment, other)).toEqual([0, 199]);
  // Two that act in the same update stay where they are, rather than swap.
  const same = withChanges(change(50, '*', 'ce.observation', 0.2), change(50, 'world-model', 'ce.observation', 0.3));
  const [all, one] = same.timeline as [Change, Change];
  expect(roomOf(same, one)[0]).toBe(50);
  expect(roomOf(same, all)[0]).toBe(50);
});
