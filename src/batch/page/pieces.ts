/** Pieces of a trajectory that the page shows: its tokens, or the words of its texts where it has no tokens. */
import { readable } from '../chat';
import { BATCH_ROLE, type BatchTrajectory } from '../trajectory';

export interface Pieces {
  readonly length: number;
  readonly roleOf: (at: number) => number;
  /** Text of a token; its id where there is no text. */
  readonly textOf: (at: number) => string;
}

export function piecesOf({ length, roles, texts, ids, segments }: BatchTrajectory): Pieces {
  if (length > 0 || segments === null) {
    return {
      length,
      roleOf: (at) => roles?.[at] ?? BATCH_ROLE.unknown,
      textOf: (at) => (texts === null ? `${ids?.[at] ?? ''}` : readable(texts[at] ?? '')),
    };
  }
  const words = segments.flatMap(({ role, text }) =>
    (text.match(/\S+[^\S\n]*\n?|\s+?/g) ?? []).map((word) => [BATCH_ROLE[role], word] as const),
  );
  return {
    length: words.length,
    roleOf: (at) => words[at]?.[0] ?? BATCH_ROLE.unknown,
    textOf: (at) => words[at]?.[1] ?? '',
  };
}

/** Place of a token, or of another piece. */
export interface TokenPosition {
  /** Number of the trajectory, from 1. */
  readonly trajectory: number;
  /** Index of the token, from 0. */
  readonly token: number;
}

/**
 * The next place, or the one before, at which a text begins, letters large or small; it goes round the whole batch.
 * Null if there is none.
 */
export function findText(
  trajectories: readonly BatchTrajectory[],
  text: string,
  from: TokenPosition,
  isBackwards: boolean,
): TokenPosition | null {
  const wanted = text.toLowerCase();
  const count = trajectories.length;
  for (let by = 0; by <= count && wanted !== ''; by++) {
    const at = (from.trajectory - 1 + (isBackwards ? count - by : by) + count) % count;
    const one = trajectories[at];
    if (one === undefined) return null;
    const { length, textOf } = piecesOf(one);
    // A space between ids without texts.
    const apart = one.length > 0 && one.texts === null ? ' ' : '';
    const texts = Array.from({ length }, (_, token) => textOf(token).toLowerCase() + apart);
    const starts = Uint32Array.from(texts, (_, token) => token);
    let end = 0;
    for (const [token, { length: size }] of texts.entries()) {
      starts[token] = end;
      end += size;
    }
    const all = texts.join('');
    const before = by === 0 ? (starts[from.token] ?? 0) : end + 1;
    const behind = by === 0 ? (starts[from.token + 1] ?? end) : 0;
    const found = isBackwards ? (before === 0 ? -1 : all.lastIndexOf(wanted, before - 1)) : all.indexOf(wanted, behind);
    if (found !== -1) return { trajectory: at + 1, token: lastUpTo(starts, found) };
  }
  return null;
}

/** Place of the last of the rising numbers that is not above a value. */
export function lastUpTo(rising: Uint32Array, value: number): number {
  let [low, high] = [0, rising.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rising[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
