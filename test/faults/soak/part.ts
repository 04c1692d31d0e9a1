/** Part of a soak: some hours of training that go on from the part before. */

/** Name of the preset that is trained, and its 64 members. */
export const PRESET = 'gridworld-tiny';
export const ARMS = ['action-mask', 'world-model'];
export const SEEDS = 32;
/** Updates of the history that training goes on from; its measurements are those of one update, again and again. */
export const HISTORY = 50_000;
/** Updates that a run may have at most. */
export const MOST = 100_000;

/** File in which a part keeps what the next goes on from. */
export const FOLDER = '.cache/soak';

/** Numbers of a part at its beginning, once all code has run, and at its end. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export interface SoakPart {
  readonly what: string;
  readonly hours: number;
  readonly updates: Span;
  /** Memory in use, bytes. */
  readonly memory: Span;
  /** Bytes on the disk, or in the browser’s storage. */
  readonly stored: Span;
  /** Further numbers, in words. */
  readonly remark: string;
  readonly lost: readonly string[];
}

/** Lowest of the first and of the last third: a save takes memory for a moment. */
export function spanOf(samples: readonly number[]): Span {
  const third = Math.ceil(samples.length / 3);
  return { first: Math.min(...samples.slice(0, third)), last: Math.min(...samples.slice(-third)) };
}
