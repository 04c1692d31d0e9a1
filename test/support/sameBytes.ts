/**
 * Setup of every test file: `toEqual` of two typed arrays with the same bytes is decided at once. Vitest compares them element by
 * element, which took seconds for the parameters of a policy. Other bytes are left to it, for the difference that it shows.
 */
import { expect } from 'vitest';

const once = globalThis as typeof globalThis & { unmaskComparesBytes?: true };

function sameBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  const [left, right] = [a, b].map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength));
  return left?.equals(right as Buffer) ? true : undefined;
}

// The kernel project loads this for each of its files, in one process.
if (once.unmaskComparesBytes === undefined) expect.addEqualityTesters([sameBytes]);
once.unmaskComparesBytes = true;
