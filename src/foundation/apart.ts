/** Code that is loaded apart from the code that needs it: once, again after a failure, and ahead of time while the page is idle. */

/** The same promise for every caller; a new one after a failure. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let arriving: Promise<T> | null = null;
  return () => {
    arriving ??= load().catch((cause: unknown) => {
      arriving = null;
      throw cause;
    });
    return arriving;
  };
}

const parts: (() => Promise<unknown>)[] = [];

/** The loader of a module, done once, and noted for `loadAhead`. */
export function apart<T>(load: () => Promise<T>): () => Promise<T> {
  const get = once(load);
  parts.push(get);
  return get;
}

/**
 * Loads every part, one after the other and each when `idle` says so. A part that does not come is asked for again when it is
 * needed.
 */
export async function loadAhead(idle: () => Promise<void>): Promise<void> {
  // Parts that arrive name further ones: the loop comes to those too.
  for (const get of parts) {
    await idle();
    await get().catch(() => {});
  }
}
