/** Runs that make room for another: the cheapest to train again; the newest ten and starred ones stay. */
import { expect, test } from 'vitest';
import { ARCHIVE_LIMITS, type RoomLimits, surplus } from '../../src/storage/room';
import type { KeptRun } from '../../src/storage/runRecord';

const run = (id: number, seconds: number | null, rest: Partial<KeptRun> = {}): KeptRun => ({
  id,
  date: id,
  experiment: {},
  name: `${id}`,
  note: '',
  starred: false,
  tags: [],
  deleted: null,
  success: [],
  updates: 100,
  device: '',
  machines: [],
  bytes: 10,
  seconds,
  ...rest,
});

const gone = (runs: readonly KeptRun[], limits: Partial<RoomLimits>, spared: readonly number[] = []) =>
  surplus(runs, new Set(spared), { runs: 100, bytes: 1000, newest: 0, ...limits }).map(({ id }) => id);

test('nothing goes while there is room', () => {
  expect(gone([run(1, 1), run(2, 1)], { runs: 2, bytes: 20 })).toEqual([]);
});

test('where there are too many, what took least time goes first, the older of equals', () => {
  const runs = [run(1, 3600), run(2, 0.5), run(3, 0.25), run(4, 0.5), run(5, 60)];
  expect(gone(runs, { runs: 2 })).toEqual([3, 2, 4]);
});

test('a long run outlives any number of half-second ones, each written as the newest', () => {
  let kept = [run(1, 7200)];
  for (let id = 2; id < 500; id++) {
    kept.push(run(id, 0.5));
    const dropped = surplus(kept, new Set([id]));
    kept = kept.filter((one) => !dropped.includes(one));
  }
  expect(kept).toHaveLength(ARCHIVE_LIMITS.runs);
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 499, 498, 497]));
});

test('stars, what is spared, and the newest stay; the newest go where nothing else can', () => {
  const runs = [run(1, 1, { starred: true }), run(2, 1), run(3, 900), run(4, 2), run(5, 3)];
  expect(gone(runs, { runs: 4, newest: 2 }, [2])).toEqual([3]);
  expect(gone(runs, { runs: 3, newest: 2 }, [2])).toEqual([3, 4]);
  expect(gone(runs, { runs: 1, newest: 5 }, [5])).toEqual([2, 4, 3]);
});

test('where they are too large, small ones do not go in vain', () => {
  const large = [run(1, 50, { bytes: 400 }), run(2, 40, { bytes: 500 })];
  const small = Array.from({ length: 10 }, (_, i) => run(3 + i, 0.5, { bytes: 5 }));
  expect(gone([...large, ...small], { bytes: 890 })).toEqual([2]);
  // No run alone is enough: a large one, and as many small ones as are needed.
  expect(gone([...large, ...small], { bytes: 420 })).toEqual([7, 8, 9, 10, 11, 12, 2]);
  expect(gone([...large, ...small], { bytes: 945 })).toEqual([3]);
  expect(gone([...large, ...small], { bytes: 920 })).toEqual([3, 4, 5, 6, 7, 8]);
});

test('a run whose time was not kept counts a second an update', () => {
  expect(gone([run(1, null, { updates: 10 }), run(2, 11), run(3, 9)], { runs: 1 })).toEqual([3, 1]);
});
