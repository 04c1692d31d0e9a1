/**
 * A run as the page drives it, on real (software) WebGPU and on the CPU: phases, steps, live changes, dreams. What comes of a lost
 * device is in sessionLost.test.ts.
 */
import { describe, expect, test, vi } from 'vitest';
import { codeHere } from '../../src/experiment/provenance';
import { LabError } from '../../src/foundation/errors';
import { Trainer } from '../../src/train/population/trainer';
import type { BackendChoice } from '../../src/train/protocol';
import { faultyGpuHere } from '../support/faultyGpuHere';
import { finishedPage, SessionPage, steppedPage, twoMembers } from '../support/sessionPage';

const UPDATES = 14;
const experiment = twoMembers(UPDATES);

faultyGpuHere();

const changesOf = (page: SessionPage) => page.of('changed').flatMap(({ changes }) => changes);

const finished = (choice: BackendChoice) => finishedPage(choice, experiment);

describe('a session', () => {
  test('steps one update at a time, takes changes from the next update, and finishes', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 3 });
    await page.session.prepare(false);
    expect(page.phase).toBe('ready');
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    page.session.change([{ arm: '*', setting: 'learningRate', value: 0.01 }]);
    expect(page.of('changed')[0]?.changes).toMatchObject([{ update: 1 }]);
    expect(() => page.session.change([{ arm: '*', setting: 'learningRate', value: -1 }])).toThrow(/Learning rate/);
    expect(() => page.session.extend(Number.NaN)).toThrow();
    page.session.step();
    await page.until(({ events }) => events.filter(({ type }) => type === 'episodes').length === 2);
    await page.until(({ phase }) => phase === 'paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('episodes').map(({ update }) => update)).toEqual([0, 1, 2]);
    page.session.extend(4);
    expect(page.phase).toBe('paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('phase').at(-1)?.update).toBe(4);
  });

  test('replaces the changes still to act, and has one that comes too late act next', async () => {
    const planned = { update: 3, arm: '*', setting: 'learningRate', value: 0.01 };
    const page = await steppedPage('cpu', { ...experiment, updates: 4, timeline: [planned] });
    const temperature = { arm: '*', setting: 'temperature', value: 0.5 };
    page.session.plan([
      { ...planned, update: 2 },
      { ...temperature, update: 0 },
    ]);
    expect(page.of('planned').at(-1)).toMatchObject({
      from: 1,
      timeline: [
        { ...temperature, update: 1 },
        { ...planned, update: 2 },
      ],
    });
    expect(() => page.session.plan([{ ...planned, value: -1 }])).toThrow(/Learning rate/);
    page.session.change([{ arm: '*', setting: 'learningRate', value: 0.02 }]);
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    const made = { ...experiment, updates: 4, timeline: page.of('planned').at(-1)?.timeline ?? [] };
    const again = await finishedPage('cpu', { ...made, timeline: [...made.timeline, ...changesOf(page)] });
    expect(page.curves).toEqual(again.curves);
  });

  test('takes a step that is asked for while it prepares', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 3 });
    const prepared = page.session.prepare(false);
    page.session.step();
    await prepared;
    await page.until(({ phase }) => phase === 'paused');
    expect(page.of('phase').at(-1)?.update).toBe(1);
  });

  test('that is paused and resumed at once goes on', async () => {
    const page = new SessionPage('reference', { ...experiment, updates: 4 });
    await page.session.prepare(true);
    await page.until(({ phase }) => phase === 'running');
    page.session.pause();
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
  });
});

describe('a session that is asked for dreams', () => {
  const ask = (page: SessionPage, id: number): void => {
    const episodes = page.of('episodes').at(-1)?.episodes ?? [];
    page.session.dream({ id, sampling: 'sampled', episodes });
  };
  const answered = (page: SessionPage, id: number): boolean => page.of('dreams').some((event) => event.id === id);

  test('answers while it trains and while it rests, and ends with the same numbers', async () => {
    const undisturbed = await finished('cpu');
    const page = await steppedPage('cpu', experiment);
    ask(page, 1);
    await page.until(() => answered(page, 1));
    page.session.resume();
    await page.until(({ phase }) => phase === 'running');
    ask(page, 2);
    // If two are asked for during an update, the last one counts.
    ask(page, 3);
    await page.until(() => answered(page, 3));
    expect(answered(page, 2)).toBe(false);
    await page.until(({ phase }) => phase === 'finished');
    ask(page, 4);
    await page.until(() => answered(page, 4));
    await page.session.dispose();
    const dreams = page.of('dreams');
    expect(dreams.map(({ id, update }) => [id, update])).toEqual([
      [1, 1],
      [3, expect.any(Number)],
      [4, UPDATES],
    ]);
    for (const { dreams: views } of dreams)
      expect(views.map(({ arm }) => arm)).toEqual(experiment.arms.map(({ id }) => id));
    expect(page.curves).toEqual(undisturbed.curves);
    expect(page.of('error')).toEqual([]);
  });
});

test('a session without memory to look at its policies says so, and trains on as if nobody had asked', async () => {
  const none = new LabError('out-of-memory', 'There is no memory (a test says so).', 'Close other tabs.');
  const looks = ['inspect', 'probe', 'dream'] as const;
  const undisturbed = await finished('cpu');
  for (const look of looks) vi.spyOn(Trainer.prototype, look).mockRejectedValueOnce(none);
  const page = new SessionPage('cpu', experiment);
  await page.session.prepare(false);
  page.session.inspect({ seed: 0, group: 0, trajectory: 0 });
  page.session.watchProbes({ every: 100, seed: 0 });
  page.session.dream({ id: 5, sampling: 'greedy', episodes: [] });
  page.session.resume();
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  await page.session.dispose();
  vi.restoreAllMocks();
  expect(page.of('notice').map(({ kind, update }) => [kind, update])).toEqual([
    ['no-memory', 1],
    ['no-memory', 1],
  ]);
  expect(page.of('not-dreamed')).toMatchObject([{ id: 5, text: none.what, advice: none.advice }]);
  expect(page.machines).toEqual([{ update: 0, backend: 'cpu', code: codeHere('cpu') }]);
  expect(page.curves).toEqual(undisturbed.curves);
});
