/**
 * Tokens as chips write them: moves are arrows, with their word for screen readers; the token that every episode begins with
 * says so; a tokenizer's mark of a space is a dot.
 */
const WRITTEN: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→', '<bos>': 'start' };

export function writeToken(word: string): string {
  return WRITTEN[word] ?? word.replace(/^<(.*)>$/, '$1').replace(/^[▁Ġ](?=.)/u, '·');
}
