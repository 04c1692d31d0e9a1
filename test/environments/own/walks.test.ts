/** The sandbox's own functions in the place of built-in ones: they give what the language says. */
import { expect, test } from 'vitest';
import { Guest, openQuickJs } from '../../../src/environments/own/sandbox';

const sets = (functions: string, other: string): string =>
  `${functions}.map((name) => [...new Set([3, 1, 2])[name](new Set(${other}))])`;
const MADE = '["union", "intersection", "difference", "symmetricDifference"]';

test.each<[string, unknown]>([
  ['[1, [2, [3, [4]]], , 5].flat()', [1, 2, [3, [4]], 5]],
  ['[1, [2, [3, [4]]]].flat(Infinity)', [1, 2, 3, 4]],
  ['[1, 2].flatMap((x, i) => [x, [i]])', [1, [0], 2, [1]]],
  ['[1].concat(2, [3, [4]], "56")', [1, 2, 3, [4], '56']],
  ['[1].concat([, 2], [,]).length', 4],
  ['Array.from("abc", (x, i) => x + i)', ['a0', 'b1', 'c2']],
  ['Array.from({ length: 3 }, (_, i) => i)', [0, 1, 2]],
  ['[1, 2, 3, 4].values().drop(1).take(2).map((x, i) => x * 10 + i).toArray()', [20, 31]],
  ['[1, 2, 3].values().filter((x) => x % 2).flatMap((x) => [x, x]).toArray()', [1, 1, 3, 3]],
  ['[...[1, 2].values().take(0), ...[1].values().drop(2)]', []],
  ['["some", "every", "find"].map((name) => [1, 2].values()[name]((x) => x > 1))', [true, false, 2]],
  ['[1, 2, 3].values().reduce((x, y) => x - y)', -4],
  ['[1, 2].values().reduce((x, y, i) => x + y * i, "a")', 'a02'],
  ['[...new Map([["a", 1], ["b", 2]]), new Map().size]', [['a', 1], ['b', 2], 0]],
  ['[...new Set("abca"), new Set([1]) instanceof Set, Set.name]', ['a', 'b', 'c', true, 'Set']],
  ['new (class extends Set {})([1, 1]).size', 1],
  ['Object.fromEntries(new Map([["a", 1]]))', { a: 1 }],
  ['{ ...Object.groupBy([1, 2, 3], (x) => (x % 2 ? "odd" : "even")) }', { odd: [1, 3], even: [2] }],
  [
    '[...Map.groupBy([1, 2, 3], (x) => x % 2)]',
    [
      [1, [1, 3]],
      [0, [2]],
    ],
  ],
  [sets(MADE, '[2, 3, 4, 5]'), [[3, 1, 2, 4, 5], [3, 2], [1], [1, 4, 5]]],
  [sets(MADE, '[2, 3]'), [[3, 1, 2], [2, 3], [1], [1]]],
  [
    '["isSubsetOf", "isSupersetOf", "isDisjointFrom"].map((name) => [[1], [1, 2, 3], [4]].map((x) => new Set([1, 2])[name](new Set(x))))',
    [
      [false, true, false],
      [true, false, false],
      [false, false, true],
    ],
  ],
  ['String.raw({ raw: ["a", "b", "c"] }, 1, 2, 3)', 'a1b2c'],
])('%s', async (expression, value) => {
  await openQuickJs();
  const guest = new Guest(`export default { settings: { it: ${expression} } };`, null);
  const told: unknown = JSON.parse(guest.value('describe', 'null'));
  guest.close();
  expect(told).toMatchObject({ settings: { it: value } });
});
