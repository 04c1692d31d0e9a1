/** Allowance of texts in a thread that has to answer: what worked in its trial and works on and on later is not asked again. */
import { afterEach, expect, test } from 'vitest';
import { exhibit } from '../../../src/environments/exhibit';
import { Allowance } from '../../../src/environments/own/allowance';
import { NOWHERE, WorldError } from '../../../src/environments/own/failure';
import { openWorld, tryWorldsFirst } from '../../../src/environments/own/own';
import type { Patience } from '../../../src/environments/own/patience';
import { ownWorld } from '../../../src/environments/own/world';
import { walkText } from '../../support/ownWorlds';

afterEach(() => tryWorldsFirst(null));

/** A thread with a clock of its own, in which a text is called. */
function thread() {
  let now = 0;
  let ended: (() => void)[] = [];
  const allowance = new Allowance(
    () => now,
    (call) => ended.push(call),
  );
  /** Milliseconds of a call that asks after these gaps, again and again, `times` times at most; null where it was not made. */
  const call = (gaps: readonly number[], times = Number.POSITIVE_INFINITY): number | null => {
    let began: number | null = null;
    try {
      allowance.within((patience: Patience) => {
        began = now;
        for (let i = 0; i < times; i++) {
          now += gaps[i % gaps.length] as number;
          if (patience.isOver()) throw new WorldError(NOWHERE, '', { what: 'step() did not come to an end' });
        }
      });
      return now - (began ?? now);
    } catch (cause) {
      expect(cause).toMatchObject({ what: expect.stringMatching(/draws it no more/) });
      return began === null ? null : now - began;
    }
  };
  const endTask = (): void => {
    for (const one of ended) one();
    ended = [];
  };
  return { call, endTask };
}

test('a call without end holds the thread up for a quarter of a second, once', () => {
  const { call, endTask } = thread();
  expect(call([1])).toBe(251);
  endTask();
  expect(call([1])).toBeNull();
});

test('one whose slow jumps hide among quick ones holds it up for a second and a half, once', () => {
  const { call, endTask } = thread();
  const held = call([...new Array<number>(20).fill(0.01), 60]);
  expect(held).toBeGreaterThan(250);
  expect(held).toBeLessThan(1600);
  endTask();
  expect(call([0.01], 1)).toBeNull();
});

test('calls of one task share its quarter of a second; those of many tasks do not, if they are short', () => {
  const together = thread();
  for (let i = 0; i < 5; i++) expect(together.call([1], 45)).toBe(45);
  expect(together.call([1], 45)).toBe(26);
  const apart = thread();
  for (let i = 0; i < 100; i++) {
    expect(apart.call([1], 45)).toBe(45);
    apart.endTask();
  }
});

test('slow calls in one task after the other come to an end too', () => {
  const { call, endTask } = thread();
  let held = 0;
  for (let i = 0; i < 100; i++) {
    held += call([1], 200) ?? 0;
    endTask();
  }
  expect(held).toBe(1000);
});

test('time in which other programs have the processor hardly counts', () => {
  const { call, endTask } = thread();
  for (let i = 0; i < 100; i++) {
    // Six milliseconds of its own, of 206.
    expect(call([...new Array<number>(120).fill(0.01), 40], 605)).toBeCloseTo(206, 0);
    endTask();
  }
});

test('a world that behaves while it is tried and hangs later says so where it is drawn, and is not asked again', async () => {
  tryWorldsFirst(async () => null);
  const late = 'let n = 0; const late = () => { if (++n > 12) for (;;); };\n';
  const text = walkText({ before: late, fields: 'heldOut: 0', task: '() => (late(), { from: 1 })' });
  await openWorld(text);
  const world = ownWorld(text, {});
  for (let seed = 1; seed <= 12; seed++) world.beginning(Int32Array.of(seed, 0));
  const words = /draws it no more.*did not come to an end/;
  expect(() => world.beginning(Int32Array.of(13, 0))).toThrow(words);
  const { asked } = world;
  // Known answers stay; others are refused without a call, which would take its time.
  expect(world.beginning(Int32Array.of(12, 0))[1]).not.toBe('');
  expect(JSON.stringify(exhibit(world))).toMatch(words);
  expect(world.asked).toBe(asked + 1);
  // Training is in a thread that may wait.
  expect(ownWorld(text, {}).words).toContain('c4');
});
