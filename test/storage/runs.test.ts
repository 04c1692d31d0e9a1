/** The archive of runs over an IndexedDB in memory: what is deleted stays so, what is damaged is set aside, what fails is said. */
import { openDB } from 'idb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { KeptCurves } from '../../src/storage/runRecord';
import { type NewRun, openRunArchive } from '../../src/storage/runs';
import { countRequests, emptyStorage, failRequests, putForeign } from '../support/fakeStorage';

const RUN: NewRun = {
  id: null,
  date: 5,
  experiment: { any: 'thing' },
  name: 'mine',
  note: '',
  starred: false,
  tags: [],
  deleted: null,
  success: [],
  updates: 2,
  device: 'a processor',
  machines: [],
};

const CURVES: KeptCurves = {
  metrics: ['successRate'],
  values: Float32Array.of(0.25, Number.NaN),
  seconds: Float32Array.of(1.5, Number.NaN),
  looks: { probed: [], dreamPoints: [], warmStart: [] },
};

beforeEach(emptyStorage);

describe('a run', () => {
  test('comes back as it was written, with its training time, over its earlier state, newest first', async () => {
    const archive = await openRunArchive();
    const { id } = await archive.put(RUN, CURVES);
    const later = await archive.put({ ...RUN, date: 6 }, CURVES);
    await archive.put({ ...RUN, id, updates: 3 }, CURVES);
    const { id: _, ...rest } = RUN;
    const kept = { ...rest, bytes: 8, seconds: 1.5 };
    expect(await archive.list()).toEqual([
      { ...kept, id: later.id, date: 6 },
      { ...kept, id, updates: 3 },
    ]);
    expect(await archive.curves(id as number)).toEqual(CURVES);
  });

  test('keeps the name, note and star that another tab gave it', async () => {
    const archive = await openRunArchive();
    const { id } = await archive.put(RUN, CURVES);
    await (await openRunArchive()).annotate(id as number, { name: 'better', note: 'look', starred: true });
    await archive.put({ ...RUN, id, updates: 3 }, CURVES);
    expect(await archive.list()).toMatchObject([{ name: 'better', note: 'look', starred: true, updates: 3 }]);
  });

  test('that was deleted, here or in another tab, is not written again', async () => {
    const archive = await openRunArchive();
    const { id } = await archive.put(RUN, CURVES);
    await (await openRunArchive()).remove(id as number);
    expect(await archive.put({ ...RUN, id }, CURVES)).toEqual({ id: null, dropped: [] });
    expect(await archive.list()).toEqual([]);
    expect(await archive.curves(id as number)).toBeNull();
  });
});

describe('records of anybody’s', () => {
  const { id: _, ...rest } = RUN;
  const whole = { ...rest, id: 1, bytes: 8, seconds: null };

  test.each([
    ['an object as name', { ...whole, name: {} }],
    ['machines that are none', { ...whole, machines: 'cpu' }],
    ['no machines', { ...whole, machines: undefined }],
    ['a machine of another form', { ...whole, machines: [{ update: 3, backend: 'abacus' }] }],
    ['a date of no calendar', { ...whole, date: Number.NaN }],
    ['a text as number of updates', { ...whole, updates: '2' }],
    ['a name of a million letters', { ...whole, name: 'x'.repeat(1e6) }],
    ['more bytes than there are', { ...whole, bytes: 1e300 }],
    ['a training of ages', { ...whole, seconds: 1e308 }],
    ['another key', { ...whole, id: 'one' }],
    ['nothing else', { id: 1 }],
  ])('%s: set aside, counted, and deleted when asked', async (_, record) => {
    const archive = await openRunArchive();
    await archive.put(RUN, CURVES);
    await putForeign('unmask', 'runs', { ...record, id: record.id === 1 ? 77 : record.id });
    expect((await archive.list()).map(({ name }) => name)).toEqual(['mine']);
    expect(await archive.damaged()).toBe(1);
    await archive.put(RUN, CURVES);
    expect(await archive.damaged()).toBe(1);
    await archive.removeDamaged();
    expect(await archive.damaged()).toBe(0);
    expect(await archive.list()).toHaveLength(2);
  });

  test('a name that would turn letters round is one printable line', async () => {
    const archive = await openRunArchive();
    await archive.put(RUN, CURVES);
    await putForeign('unmask', 'runs', { ...whole, id: 9, name: 'one\n\u202etwo' });
    expect((await archive.list()).map(({ name }) => name).sort()).toEqual(['mine', 'one �two']);
  });

  test('one of more bytes than there are pushes no run out', async () => {
    const archive = await openRunArchive();
    for (let i = 0; i < 12; i++) await archive.put(RUN, CURVES);
    await putForeign('unmask', 'runs', { ...whole, id: 77, bytes: 1e300, seconds: 1e308 });
    expect((await archive.put(RUN, CURVES)).dropped).toEqual([]);
    expect(await archive.list()).toHaveLength(13);
    // The most that is read: it goes itself, and nothing with it.
    await putForeign('unmask', 'runs', { ...whole, id: 88, bytes: 2 ** 40, seconds: 1e10 });
    expect((await archive.put(RUN, CURVES)).dropped.map(({ id }) => id)).toEqual([88]);
  });

  test('curves that are none are none', async () => {
    const archive = await openRunArchive();
    const { id } = await archive.put(RUN, CURVES);
    for (const curves of [{ ...CURVES, values: [1, 2] }, { ...CURVES, seconds: 'long' }, { metrics: [{}] }, 7]) {
      await putForeign('unmask', 'curves', curves, id as number);
      expect(await archive.curves(id as number)).toBeNull();
    }
  });
});

describe('what fails', () => {
  test('at any request leaves all or nothing written, is said, and the next write succeeds', async () => {
    const archive = await openRunArchive();
    failRequests(() => null);
    const first = await archive.put(RUN, CURVES);
    const count = countRequests();
    expect(count).toBeGreaterThan(2);
    for (const name of ['QuotaExceededError', 'UnknownError']) {
      for (let at = 0; at <= count; at++) {
        failRequests((request) => (request === at ? name : null));
        const writing = archive.put({ ...RUN, id: first.id, updates: 10 + at }, CURVES);
        const words = name === 'UnknownError' ? /could not be written/ : /no room/;
        if (at < count + 1) await expect(writing).rejects.toThrow(words);
        failRequests(() => null);
        expect(await archive.list()).toMatchObject([{ updates: 2 }]);
      }
    }
    await archive.put({ ...RUN, id: first.id, updates: 99 }, CURVES);
    expect(await archive.list()).toMatchObject([{ updates: 99 }]);
  });

  test('a newer form: said, and what newer versions wait for is let go', async () => {
    const archive = await openRunArchive();
    await archive.put(RUN, CURVES);
    const newer = await openDB('unmask', 9);
    await expect(archive.list()).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/kept by a newer version.*Reload the page/),
    });
    newer.close();
  });
});
