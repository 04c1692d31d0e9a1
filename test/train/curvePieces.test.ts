/** Curves in pieces, as a browser keeps them, where another page of the origin can write them. */
import { expect, test } from 'vitest';
import { METRICS } from '../../src/rl/measure/metrics';
import { encodePiece, joinPieces, readPiece } from '../../src/train/run/curvePieces';
import { packSafetensors } from '../../src/train/run/keep/safetensors';

const MEMBERS = 2;
const row = (value: number) => ({
  metrics: new Float32Array(MEMBERS * METRICS.length).fill(value),
  seconds: value,
  tokens: 1,
});

test('a piece reads as it was written; a later one replaces what it begins before', () => {
  const [first, second] = [encodePiece(0, [row(1), row(2), row(3)]), encodePiece(2, [row(4), row(5)])];
  const piece = readPiece(second, MEMBERS);
  expect([piece?.from, piece?.seconds, piece?.values.length]).toEqual([
    2,
    Float32Array.of(4, 5),
    2 * MEMBERS * METRICS.length,
  ]);
  const { seconds, missing } = joinPieces([first, second], 5, MEMBERS);
  expect([seconds, missing]).toEqual([Float32Array.of(1, 2, 4, 5, Number.NaN), 1]);
});

test('a piece of another population, a damaged one, and one without columns are none', () => {
  const whole = encodePiece(0, [row(1)]);
  const damaged = whole.slice();
  damaged[damaged.length - 1] = (damaged.at(-1) as number) ^ 1;
  // Zero numbers for each of so many updates: a few bytes that would become megabytes.
  const updates = 100_000;
  const metadata = { format: 'unmask-curves-1', from: '0', updates: String(updates), metrics: '[]' };
  const columnless = packSafetensors(metadata, [
    { name: 'curves', shape: [updates, MEMBERS, 0], values: new Float32Array() },
    { name: 'seconds', shape: [updates], values: new Float32Array(updates) },
  ]);
  expect([readPiece(whole, MEMBERS + 1), readPiece(damaged, MEMBERS), readPiece(columnless, MEMBERS)]).toEqual([
    null,
    null,
    null,
  ]);
});
