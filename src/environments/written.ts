/** Tokens of an episode as texts that stand together. */
import type { WrittenTokens } from './scene';

/** Bytes of a letter at most, and so tokens. */
const A_LETTER = 4;

/** Written tokens before `end`, from `from` on. `textOf`: text of tokens that follow others. */
export function writtenIn(
  tokens: ArrayLike<number>,
  from: number,
  end: number,
  textOf: (tokens: readonly number[]) => string,
): WrittenTokens {
  const pieces: string[] = [];
  let open: number[] = [];
  for (let t = from; t < end; t++) {
    open.push(tokens[t]);
    const text = textOf(open);
    const isCut = text.endsWith('\ufffd') && open.length < A_LETTER && t + 1 < end;
    pieces.push(isCut ? '' : text);
    if (!isCut) open = [];
  }
  return { from, pieces };
}
