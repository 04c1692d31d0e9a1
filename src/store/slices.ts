/** Long work cut into tasks of a few milliseconds, so that the page answers in between. */

/** Milliseconds of a task. */
const SLICE = 12;

/** Runs a generator to its end; at every `yield` the page may have its turn. */
export async function inSlices<T>(work: Generator<unknown, T>): Promise<T> {
  for (let end = performance.now() + SLICE; ; ) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await new Promise((resolve) => setTimeout(resolve));
    end = performance.now() + SLICE;
  }
}
