/** A token with what is blank in it made visible. */
export function visible(word: string): string {
  return word.replaceAll('\n', '↵').replaceAll('\t', '⇥').replaceAll(' ', '·') || '∅';
}
