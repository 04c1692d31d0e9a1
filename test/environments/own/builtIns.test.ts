/**
 * Every function of the language that a world can reach, on inputs as large as fit: each call ends within the work of a call,
 * whatever it does. The functions are those of the realm itself, so that one more is tried too; by day each on a quarter of the
 * inputs.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Guest, openQuickJs } from '../../../src/environments/own/sandbox';
import { HOSTILE, measured, tried } from '../../support/hostile';
import { isNightly } from '../../support/nightly';

/** Work of a call here: some hundredths of what a world has. */
const WORK = 3e6;
/** A call may take so many times as long as an empty loop of the same work, and milliseconds of the processor besides. */
const TIMES = 12;
const BESIDES = 150;

/** Finds the functions; create({ at, on, given }) calls one of them. */
const REALM = `
const { apply, construct, getPrototypeOf, ownKeys } = Reflect;
const { getOwnPropertyDescriptor } = Object;
const parse = JSON.parse;
const nameOf = (key) => (typeof key === 'symbol' ? String(key.description) : key);
const found = new Map();
const seen = new Set();
function walk(thing, path) {
  if ((typeof thing !== 'object' && typeof thing !== 'function') || thing === null || seen.has(thing)) return;
  seen.add(thing);
  if (typeof thing === 'function') found.set(path, thing);
  for (const key of ownKeys(thing)) {
    const { value, get, set } = getOwnPropertyDescriptor(thing, key);
    const inner = path + '.' + nameOf(key);
    walk(get, 'get ' + inner);
    walk(set, 'set ' + inner);
    walk(value, inner);
  }
  walk(getPrototypeOf(thing), path + '.parent');
}
walk(globalThis, '');
const hidden = [[].values(), ''[Symbol.iterator](), new Map().keys(), new Set().keys(), 'a'.matchAll(/a/g), [].values().map(String),
  Iterator.from({ next() {} }), Iterator.concat([]), function* () {}, async function () {}, async function* () {}, (function () { return arguments; })()];
for (const [i, thing] of hidden.entries()) walk(thing, 'hidden' + i);
const functions = [...found.values()];

const holes = () => { const a = []; a.length = 4294967295; return a; };
const nested = () => { let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a; };
const endless = () => ({ [Symbol.iterator]() { return this; }, next: () => ({ value: [1, 2], done: false }), size: 9, has: () => true, keys() { return this; } });
const marks = () => '\\u0301\\u0316'.repeat(50000);
const THINGS = [
  marks,
  holes,
  () => Array.from({ length: 20000 }, (_, i) => (i * 7919) % 20011),
  nested,
  () => new RegExp('^(a|aa)+$', 'gdu'),
  () => new Map(Array.from({ length: 5000 }, (_, i) => [i * 4294967296, i])),
  () => new Set(Array.from({ length: 5000 }, (_, i) => String(i))),
  endless,
  () => Iterator.from(endless()),
  () => ({ length: 2 ** 53 - 1, source: marks(), flags: 'gu', exec: () => [''] }),
  () => (function* () { for (;;) yield [1, 2]; })(),
  () => 1.7976931348623157e308,
  () => function () { return holes(); },
];
const GIVEN = [
  () => [],
  () => ['a'.repeat(60) + 'b', '(a|aa)+'.repeat(3000)],
  () => [marks(), marks()],
  () => [holes(), holes()],
  () => [endless(), endless()],
  () => [() => 1, () => holes()],
  () => [4294967295, 4294967294],
  () => [100, 'ab'],
  () => [nested(), null, 10],
  () => [new RegExp('(a*)*b', 'g'), () => marks()],
  () => [{ length: 2 ** 53 - 1, toString: marks, raw: { length: 2 ** 53 - 1 } }, 1, { value: 1 }],
];
export default {
  settings: { functions: [...found.keys()], things: THINGS.length, given: GIVEN.length },
  create({ at, on, given }) {
    const self = THINGS[on]();
    const all = GIVEN[given]();
    const made = given % 2 === 0 ? apply(functions[at], self, all) : construct(functions[at], [self, ...all]);
    return { title: typeof made };
  },
};`;

let guest: Guest;
let known: { readonly functions: readonly string[]; readonly things: number; readonly given: number };
/** Milliseconds of a unit of work. */
let unit = 0;

beforeAll(async () => {
  await openQuickJs();
  guest = new Guest(REALM, null, WORK);
  known = JSON.parse(guest.value('describe', 'null')).settings;
  // The first is compiled meanwhile.
  const times = await Promise.all([0, 0, 0].map(() => tried(HOSTILE['an empty loop'] as string, 10 * WORK)));
  unit = Math.min(...times.map(({ time }) => time)) / (10 * WORK);
});

afterAll(() => guest.close());

/** Milliseconds of the processor that a call with this work may take. */
const most = (work: number): number => TIMES * unit * work + BESIDES;

describe('a call ends within its work', () => {
  it('in each function of the language, whatever it is given', { timeout: 1_800_000 }, async () => {
    const { functions, things, given } = known;
    expect(functions.length).toBeGreaterThan(300);
    for (const name of [
      'normalize',
      'localeCompare',
      'compile',
      'repeat',
      'flat',
      'groupBy',
      'toArray',
      'next',
      'eval',
    ]) {
      expect(functions.some((path) => path.endsWith(`.${name}`))).toBe(true);
    }
    const slow: string[] = [];
    for (const [at, name] of functions.entries()) {
      for (let on = isNightly ? 0 : at % 4; on < things; on += isNightly ? 1 : 4) {
        const line = JSON.stringify({ at, on, given: (on * 5 + at) % given });
        const { time, said } = await measured(guest, 'create', line);
        if (time > most(WORK)) slow.push(`${name} ${line}: ${time.toFixed(0)} ms, ${said}`);
      }
    }
    expect(slow).toEqual([]);
  });

  it.each(Object.entries(HOSTILE))('with %s', async (_, body) => {
    const work = 10 * WORK;
    const { time, said } = await tried(body, work);
    expect(said).toMatch(/did not come to an end|memory|too long|call stack|SyntaxError|strange/);
    expect(time).toBeLessThan(most(work));
  });

  it('and the next text is read as if nothing had been', async () => {
    expect((await tried('', WORK)).said).toContain('functions');
  });
});
