/** Kinds of words, so that a policy's knowledge of the world can be shown kind by kind. */

/** Kinds, in the plural and for people, with their words in vocabulary order. A kind may occur more than once. */
export type WordKinds = readonly (readonly [kind: string, words: readonly string[]])[];

/** Kind of `<pad>` and `<bos>`, which nobody says. */
export const MARKS: WordKinds[number] = ['marks', ['<pad>', '<bos>']];

/** Words in vocabulary order, and the kind of each. */
export function listWords(kinds: WordKinds): { words: string[]; kinds: string[] } {
  return {
    words: kinds.flatMap(([, words]) => words),
    kinds: kinds.flatMap(([kind, words]) => words.map(() => kind)),
  };
}
