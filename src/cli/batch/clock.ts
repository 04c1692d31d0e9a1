/** A clock for synchronous work that a reader's files ask for: a chat template is a program, and may loop for ever. */
import { createContext, Script } from 'node:vm';
import type { TextClock } from '../../batch/ownTexts';

/** Seconds that one conversation may take; it takes milliseconds. */
const LIMIT = 10;

const call = new Script('work()');

/** Throws where a work takes longer than the limit (ms), and for every work after it: the next conversation would take as long. */
export function newClock(limit = LIMIT * 1000): TextClock {
  const context = createContext({ work: null });
  let late: Error | null = null;
  return <T>(work: () => T): T => {
    if (late !== null) throw late;
    context.work = work;
    try {
      // `vm` ends all calls, also those of functions defined outside of its context.
      return call.runInContext(context, { timeout: limit }) as T;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
      late = new Error(`one conversation took more than ${limit / 1000} seconds`, { cause });
      throw late;
    }
  };
}
