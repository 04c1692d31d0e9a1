/** States of runs: which stays beside a new one, whose go for room, and the archive over an IndexedDB in memory. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type KeptStates,
  openSnapshotArchive,
  type Save,
  SNAPSHOT_LIMIT,
  soundStates,
  stateAfter,
  surplusStates,
} from '../../src/storage/snapshots';
import { countRequests, emptyStorage, failRequests, putForeign } from '../support/fakeStorage';

const save = (update: number, from: number, bytes = 10): Save => ({
  run: 'a',
  update,
  updates: 100,
  seconds: update,
  from,
  healthy: true,
  state: new Uint8Array(bytes),
  curves: null,
});
const updatesOf = ({ states }: KeptStates): number[] => states.map(({ update }) => update);

describe('beside a new state', () => {
  test('stays the newest before it', () => {
    const first = stateAfter(undefined, save(5, 0), 7);
    const second = stateAfter(first, save(9, 5), 8);
    const third = stateAfter(second, save(12, 9), 9);
    expect([first, second, third].map(updatesOf)).toEqual([[5], [5, 9], [9, 12]]);
    expect(third).toMatchObject({ updates: 100, seconds: 12, curveBytes: 9 });
    // The same update with other settings.
    expect(updatesOf(stateAfter(third, save(12, 12), 9))).toEqual([9, 12]);
  });

  test('stays none whose updates are computed again', () => {
    const two = stateAfter(stateAfter(undefined, save(5, 0), 7), save(9, 5), 8);
    expect(updatesOf(stateAfter(two, save(8, 5), 8))).toEqual([5, 8]);
    expect(updatesOf(stateAfter(two, save(8, 3), 8))).toEqual([8]);
  });

  test('stays the newest healthy one, for as long as neither of the two newest is', () => {
    const ill = (update: number, from: number): Save => ({ ...save(update, from), healthy: false });
    const saves = [save(5, 0), save(9, 5), ill(12, 9), ill(15, 12), ill(18, 15), save(21, 18), save(24, 21)];
    const kept: KeptStates[] = [];
    for (const one of saves) kept.push(stateAfter(kept.at(-1), one, 0));
    expect(kept.map(updatesOf)).toEqual([[5], [5, 9], [9, 12], [9, 12, 15], [9, 15, 18], [18, 21], [21, 24]]);
  });

  test('a state larger than all that may be kept is refused with words', () => {
    expect(() => stateAfter(undefined, save(5, 0), SNAPSHOT_LIMIT)).toThrow(/take 513 MiB/);
  });
});

describe('for room', () => {
  const entry = (run: string, seconds: number, date = 0): KeptStates => ({
    run,
    date,
    updates: 9,
    seconds,
    states: [{ update: 1, bytes: 60, healthy: true }],
    curveBytes: 40,
    starred: false,
  });
  const long = entry('long', 3600);
  const short = Array.from({ length: 50 }, (_, i) => entry(`${i}`, 0.5, i + 1));

  test('go those that trained for the shortest time, the oldest first, and never the one just written', () => {
    expect(surplusStates([long, ...short], new Set(['49']), 5100)).toEqual([]);
    expect(surplusStates([long, ...short], new Set(['49']), 4900)).toEqual(['0', '1']);
    expect(surplusStates([long, ...short], new Set(['0']), 4900)).toEqual(['1', '2']);
    expect(surplusStates([long, ...short], new Set(['long']), 100)).toHaveLength(50);
    expect(surplusStates([long, ...short], new Set(['0']), 200)).not.toContain('long');
    expect(surplusStates([long, ...short.map((one) => ({ ...one, starred: true }))], new Set(['0']), 200)).toEqual([
      'long',
    ]);
  });

  test('what is no description of states is left out', () => {
    const foreign = [null, 'x', { ...long, states: [] }, { ...long, run: 'RUN' }, { ...entry('a', 1, 5), extra: 1 }];
    expect(soundStates([...foreign, entry('a', 1, 5), entry('b', 1, 6)]).map(({ run }) => run)).toEqual(['b', 'a']);
  });

  test('what says that it is larger or longer than anything kept is left out', () => {
    const whole = entry('a', 1, 5);
    const [state] = whole.states;
    const hostile = [
      { curveBytes: 1e300 },
      { curveBytes: SNAPSHOT_LIMIT + 1 },
      { curveBytes: SNAPSHOT_LIMIT },
      { states: [{ ...state, bytes: 1e300 }] },
      { states: [{ ...state, update: 1e300 }] },
      { states: Array.from({ length: 1000 }, () => state) },
      { seconds: Number.POSITIVE_INFINITY },
      { updates: 2 ** 60 },
      { date: -1e300 },
    ].map((part) => ({ ...whole, ...part }));
    expect(soundStates(hostile)).toEqual([]);
    const largest = { ...whole, curveBytes: SNAPSHOT_LIMIT - 60 };
    expect(soundStates([largest])).toEqual([largest]);
  });
});

describe('the archive', () => {
  beforeEach(emptyStorage);
  const kept = (update: number, from: number): Save => ({
    ...save(update, from),
    state: Uint8Array.of(update),
    curves: Uint8Array.of(from, update),
  });
  const piecesOf = async (archive: Awaited<ReturnType<typeof openSnapshotArchive>>) =>
    (await archive.curves('a')).map((piece) => [...piece]);

  test('keeps two states of a run and all pieces of its curves; what is computed again replaces both', async () => {
    const archive = await openSnapshotArchive();
    for (const update of [5, 9, 12]) await archive.put(kept(update, { 5: 0, 9: 5, 12: 9 }[update] ?? 0));
    expect(await piecesOf(archive)).toEqual([
      [0, 5],
      [5, 9],
      [9, 12],
    ]);
    const [entry] = await archive.list();
    expect(entry).toMatchObject({ run: 'a', states: [{ update: 9 }, { update: 12 }], curveBytes: 6 });
    expect([await archive.state('a', 5), await archive.state('a', 12)]).toEqual([null, Uint8Array.of(12)]);
    await archive.put(kept(10, 5));
    expect(await piecesOf(archive)).toEqual([
      [0, 5],
      [5, 10],
    ]);
    expect((await archive.list())[0]).toMatchObject({ states: [{ update: 10 }], curveBytes: 4 });
    expect(await archive.state('a', 12)).toBeNull();
    await archive.star('a', true);
    await archive.put(kept(11, 10));
    expect((await archive.list())[0]?.starred).toBe(true);
    await archive.star('c', true);
    await archive.put({ ...kept(3, 0), run: 'b' });
    await archive.remove('a');
    expect([await archive.list(), await piecesOf(archive)]).toMatchObject([[{ run: 'b' }], []]);
    expect(await archive.state('a', 10)).toBeNull();
  });

  test('keeps a save whole or not at all, whichever request fails, and says why', async () => {
    const archive = await openSnapshotArchive();
    await archive.put(kept(5, 0));
    await archive.put(kept(9, 5));
    failRequests(() => null);
    await archive.put(kept(12, 9));
    const count = countRequests();
    expect(count).toBeGreaterThan(3);
    for (const [name, words] of [
      ['QuotaExceededError', /no room left for the policies/],
      ['UnknownError', /does not keep the policies/],
    ] as const) {
      for (let at = 0; at < count; at++) {
        failRequests((request) => (request === at ? name : null));
        await expect(archive.put(kept(20, 12))).rejects.toThrow(words);
        failRequests(() => null);
        expect((await archive.list())[0]?.states.map(({ update }) => update)).toEqual([9, 12]);
        expect([await archive.state('a', 12), (await piecesOf(archive)).length]).toEqual([Uint8Array.of(12), 3]);
      }
    }
    await archive.put(kept(20, 12));
    expect((await archive.list())[0]?.states.map(({ update }) => update)).toEqual([12, 20]);
  });

  test('takes what others wrote for nothing', async () => {
    const archive = await openSnapshotArchive();
    await archive.put(kept(5, 0));
    await putForeign('unmask-snapshots', 'runs', { run: {} }, 'foreign');
    await putForeign('unmask-snapshots', 'states', 'no bytes', ['a', 5]);
    await putForeign('unmask-snapshots', 'curves', 7, ['a', 2]);
    expect((await archive.list()).map(({ run }) => run)).toEqual(['a']);
    expect([await archive.state('a', 5), await piecesOf(archive)]).toEqual([null, [[0, 5]]]);
    await archive.put(kept(9, 5));
  });

  test('deletes nothing for an entry that claims to fill the storage, and keeps on where one hides what is there', async () => {
    const archive = await openSnapshotArchive();
    await archive.put({ ...kept(5, 0), run: 'b' });
    const [whole] = await archive.list();
    await putForeign('unmask-snapshots', 'runs', { ...whole, run: 'c', curveBytes: 1e300 }, 'c');
    await archive.put(kept(5, 0));
    expect((await archive.list()).map(({ run }) => run).sort()).toEqual(['a', 'b']);
    const [mine] = (await archive.list()).filter(({ run }) => run === 'a');
    await putForeign('unmask-snapshots', 'runs', { ...mine, curveBytes: 0 }, 'a');
    await archive.put(kept(7, 0));
    expect((await archive.list()).find(({ run }) => run === 'a')).toMatchObject({ curveBytes: 2 });
  });

  test('gives the pieces of a run’s curves from an update on', async () => {
    const archive = await openSnapshotArchive();
    for (const update of [5, 9, 12]) await archive.put(kept(update, { 5: 0, 9: 5, 12: 9 }[update] ?? 0));
    const from = async (update: number) => (await archive.curves('a', update)).map(([begin]) => begin);
    expect([await from(0), await from(4), await from(5), await from(8), await from(12)]).toEqual([
      [0, 5, 9],
      [0, 5, 9],
      [5, 9],
      [5, 9],
      [9],
    ]);
  });
});
