/**
 * Parts of the page that cannot be shown now, for the messages at its lower edge; each is tried again there, or when the connection
 * is back.
 */
import { createStore } from 'zustand/vanilla';
import { asLabError } from '../../foundation/errors';

export interface Missing {
  /** The part, as a sentence begins: `The tour`. */
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  readonly again: () => void;
}

export const missing = createStore<{ readonly parts: readonly Missing[] }>(() => ({ parts: [] }));

/** Returns a function to call when the part is there after all, or not wanted any more. */
export function reportMissing(what: string, cause: unknown, again: () => void): () => void {
  const { what: why, advice } = asLabError(cause);
  const part = { what, why, advice, again };
  missing.setState(({ parts }) => ({ parts: [...parts, part] }));
  return () => missing.setState(({ parts }) => ({ parts: parts.filter((other) => other !== part) }));
}

globalThis.addEventListener?.('online', () => {
  for (const { again } of missing.getState().parts) again();
});
