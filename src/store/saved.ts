/** JSON in localStorage. Private windows and full disks may refuse it: then nothing is kept, without an error. */

/** All that is kept there, by its key. What is larger is in IndexedDB: src/storage/README.md has both. */
const KEYS = {
  experiment: 'unmask.experiment',
  sweep: 'unmask.sweep',
  world: 'unmask.world',
  earlierWorlds: 'unmask.worlds.earlier',
  preferences: 'unmask.preferences',
  races: 'unmask.races',
} as const;

export function readSaved(what: keyof typeof KEYS): unknown {
  try {
    const text = globalThis.localStorage?.getItem(KEYS[what]);
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

export function writeSaved(what: keyof typeof KEYS, value: unknown): void {
  try {
    globalThis.localStorage?.setItem(KEYS[what], JSON.stringify(value));
  } catch {
    // Storage is refused: the page still works, but forgets the value on a reload.
  }
}
