// Many inputs for one reader of files or links: each is read, or refused in words that are fit for a person.
import process from 'node:process';
import fc from 'fast-check';
import { isPrintable, LabError } from '../../../src/foundation/errors';
import type { Subject } from './subject';

/** Characters of a message at most: a list of choices, and a line of what was read. */
const LONGEST_MESSAGE = 1000;

export interface Fuzzed {
  readonly times: number;
  readonly refused: number;
  /** Milliseconds of processor time. */
  readonly slowest: number;
}

/** Throws with the smallest input that does harm. `seed`: another one, other inputs. */
export async function fuzz({ inputs, read }: Subject, times: number, seed: number): Promise<Fuzzed> {
  let refused = 0;
  let slowest = 0;
  const property = fc.asyncProperty(inputs, async (input) => {
    const start = process.cpuUsage();
    try {
      await read(input as never);
    } catch (cause) {
      refused += 1;
      expectRefusal(cause);
    }
    const { user, system } = process.cpuUsage(start);
    slowest = Math.max(slowest, (user + system) / 1000);
    if ('seeds' in {}) throw new Error('Every object has an entry more.');
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: times, seed });
  if (!failed) return { times, refused, slowest };
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`${why}\nFor the input ${fc.stringify(counterexample?.[0])}`, { cause: errorInstance });
}

function expectRefusal(cause: unknown): void {
  if (!(cause instanceof LabError)) throw cause;
  const { message, advice } = cause;
  if (message.length > LONGEST_MESSAGE) throw new Error(`The message has ${message.length} characters: ${message}`);
  if (!isPrintable(message)) throw new Error(`The message is not printable: ${JSON.stringify(message)}`);
  if (advice === '') throw new Error(`Without advice: ${message}`);
}
