// Long work gives way to other tasks, and is still done in order and to its end.
import { expect, test } from 'vitest';
import { inSlices } from '../../src/foundation/slices';

test('work of 120 ms is cut at its yields, and gives what it returns', async () => {
  let turns = 0;
  let working = true;
  const count = (): void => {
    turns += 1;
    if (working) setTimeout(count);
  };
  setTimeout(count);
  const seen: number[] = [];
  const result = await inSlices(
    (function* work() {
      for (let piece = 0; piece < 40; piece++) {
        const end = performance.now() + 3;
        while (performance.now() < end);
        seen.push(piece);
        yield;
      }
      return 'done';
    })(),
  );
  working = false;
  expect(result).toBe('done');
  expect(seen).toEqual(Array.from({ length: 40 }, (_, piece) => piece));
  // 120 ms in tasks of 12: other tasks ran between them.
  expect(turns).toBeGreaterThan(4);
});
