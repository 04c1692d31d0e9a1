/** Parts that all archives of this browser share: reads are checked, writes are whole, refusals are told. */
import type { GenericSchema, InferOutput } from 'valibot';
import { safeParse } from 'valibot';
import { LabError } from '../foundation/errors';

/** JavaScript's last date, milliseconds since 1970. */
export const LAST_DATE = 8.64e15;

/** Stored values that a schema accepts, newest first. */
export function soundOnes<const S extends GenericSchema<unknown, { date: number }>>(
  schema: S,
  stored: readonly unknown[],
): InferOutput<S>[] {
  return stored
    .flatMap((one): InferOutput<S>[] => {
      const { success, output } = safeParse(schema, one);
      return success ? [output] : [];
    })
    .sort((a, b) => b.date - a.date);
}

/** Does work in a transaction: all of it is kept, or nothing. */
export async function wholly<W extends Pick<IDBTransaction, 'error' | 'abort'> & { readonly done: Promise<void> }, T>(
  writing: W,
  work: (writing: W) => Promise<T>,
): Promise<T> {
  const worked = work(writing).catch((cause: unknown) => {
    if (writing.error === null) writing.abort();
    throw cause;
  });
  const [result] = await Promise.all([worked, writing.done]);
  return result;
}

/** Sentence and advice. */
export type Words = readonly [what: string, advice: string];

/** Result of the work. Throws LabError 'storage' if it fails, with words for the name of the browser’s error. */
export async function said<T>(work: () => Promise<T>, wordsOf: (name: string) => Words): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof LabError) throw cause;
    const [what, advice] = wordsOf(cause instanceof DOMException ? cause.name : '');
    throw new LabError('storage', what, advice, { cause });
  }
}
