/** A text's tokens as lines to draw: each ends with a line break, or where it would take too long to draw at once. */

/** Tokens `from` to `to`, the latter not included. */
export interface TextLine {
  readonly from: number;
  readonly to: number;
}

const MOST_TOKENS = 128;

export function linesOf(words: readonly string[], most = MOST_TOKENS): TextLine[] {
  const lines: TextLine[] = [];
  let from = 0;
  words.forEach((word, t) => {
    if (!word.endsWith('\n') && t + 1 - from < most && t + 1 < words.length) return;
    lines.push({ from, to: t + 1 });
    from = t + 1;
  });
  return lines;
}
