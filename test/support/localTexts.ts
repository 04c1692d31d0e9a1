/** The browser’s localStorage, for tests of what the page keeps in it. */
import { vi } from 'vitest';

/** Puts an empty one there. */
export function stubLocalStorage(): void {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}
