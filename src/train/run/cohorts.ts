/** Choice of cohorts for a device (policy/cohorts.ts), by the time that its readbacks take. No number depends on it. */
import type { Backend } from '../../tensor/backend';

/** Readbacks tried; the shortest counts, so that a busy moment does not. */
const TRIES = 12;
/**
 * Seconds from which on waiting costs more than decoding in two parts: some 40 dispatches a turn, and a submission and an upload
 * or two.
 */
const WORTH_HIDING = 1e-3;

/**
 * Two where readbacks of a GPU have to be waited for, else one. Where the processor computes, decoding in parts would take its
 * own time from it.
 */
export async function chooseCohorts(
  backend: Backend,
  software: boolean,
  now = (): number => performance.now(),
): Promise<number> {
  if (software) return 1;
  const probe = backend.tensor('readback', 'f32', 1, 4);
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const start = now();
    await backend.read(probe);
    shortest = Math.min(shortest, (now() - start) / 1000);
  }
  return shortest < WORTH_HIDING ? 1 : 2;
}
