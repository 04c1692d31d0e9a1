/**
 * Files of a part, asked for before the part is imported. A browser never asks again for a module that once did not arrive, and
 * an import would fail until the page is reloaded; a request can be repeated. Imported for its effect; the build puts a call
 * before each `import()` of the page (scripts/arrival.mjs).
 */
declare global {
  /** Rejects where one of the files, relative to `base`, does not arrive. */
  var unmaskArrive: (files: readonly string[], base: string) => Promise<unknown>;
}

const arrived = new Set<string>();

globalThis.unmaskArrive = (files, base) => Promise.all(files.map((file) => arrive(new URL(file, base).href)));

async function arrive(address: string): Promise<void> {
  if (arrived.has(address)) return;
  if (!(await isRead(address))) throw new TypeError(`Failed to fetch dynamically imported module: ${address}`);
  arrived.add(address);
}

async function isRead(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address);
    // To the end, so that the import finds it in the browser's cache.
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // No connection, or one that ended on the way.
    return false;
  }
}

export {};
