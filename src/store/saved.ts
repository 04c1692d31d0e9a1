/** JSON in localStorage. Private windows and full disks may refuse it: then nothing is kept, without an error. */

export function readSaved(key: string): unknown {
  try {
    const text = globalThis.localStorage?.getItem(key);
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

export function writeSaved(key: string, value: unknown): void {
  try {
    globalThis.localStorage?.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is refused: the page still works, but forgets the value on a reload.
  }
}
