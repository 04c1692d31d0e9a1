/** Long work cut into tasks of a few milliseconds, so that the page answers in between. */

/** Milliseconds of a task. */
export const SLICE = 12;

/** Resolves in a later task, so the page can answer before. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Runs a generator to its end; at a `yield` after SLICE milliseconds the page can answer. */
export async function inSlices<T>(work: Generator<unknown, T>): Promise<T> {
  for (let end = performance.now() + SLICE; ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await nextTask();
    end = performance.now() + SLICE;
  }
}
