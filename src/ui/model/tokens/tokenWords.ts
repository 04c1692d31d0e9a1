/** Tokens as chips write them: moves are arrows, with their word for screen readers; a tokenizer's mark of a space is a dot. */
const ARROWS: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→' };

export function writeToken(word: string): string {
  return ARROWS[word] ?? word.replace(/^<(.*)>$/, '$1').replace(/^[▁Ġ](?=.)/u, '·');
}
