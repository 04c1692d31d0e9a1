/** Words by what they are, so that what a policy knows of the world can be told kind by kind. */

/** In vocabulary order: what the words are, in the plural and for people, and the words. A kind may come more than once. */
export type WordKinds = readonly (readonly [kind: string, words: readonly string[]])[];

/** Of `<pad>` and `<bos>`, which nobody says. */
export const MARKS: WordKinds[number] = ['marks', ['<pad>', '<bos>']];

/** The words in vocabulary order, and of each what it is. */
export function listWords(kinds: WordKinds): { words: string[]; kinds: string[] } {
  return {
    words: kinds.flatMap(([, words]) => words),
    kinds: kinds.flatMap(([kind, words]) => words.map(() => kind)),
  };
}
