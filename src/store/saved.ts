/** JSON in localStorage. Private windows and full disks may refuse: then nothing is kept, and nothing breaks. */

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
    // Storage is refused: what is on screen still works, it is only not there after a reload.
  }
}
