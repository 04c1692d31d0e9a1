/**
 * Tokens as chips write them: moves are arrows, with their word for screen readers; the token that every episode begins with
 * says so; a tokenizer's mark of a space is a dot.
 */
const ARROWS: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→' };

/** A token for screen readers: its word, but for the one that every episode begins with. */
export const speakToken = (word: string): string => (word === '<bos>' ? 'start' : word);

export function writeToken(word: string): string {
  return (
    ARROWS[word] ??
    speakToken(word)
      .replace(/^<(.*)>$/, '$1')
      .replace(/^[▁Ġ](?=.)/u, '·')
  );
}
