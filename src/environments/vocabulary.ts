/**
 * A policy's vocabulary: the words of its environments, each once, padded to a multiple of 16 so that the output head's
 * rows fill whole tiles. All environments begin with the same two words, so one alone keeps its own numbering: with `<pad>` and
 * `<bos>`, or with the first pieces of a language model’s tokenizer.
 */
import { LabError } from '../foundation/errors';

const MULTIPLE = 16;

export interface Vocabulary {
  /** All words in token order, with unused ones at the end. */
  readonly words: readonly string[];
  /** Number of tokens: a multiple of 16. */
  readonly size: number;
  /** Token of a word; −1 if the vocabulary does not have it. */
  indexOf(word: string): number;
}

/** Words 0 and 1 of an environment. */
export const FIRST_WORDS: readonly string[] = ['<pad>', '<bos>'];

/** Words of several lists, each once, in the order in which they first occur. */
export function mergeWords(wordLists: readonly (readonly string[])[]): string[] {
  const [first = FIRST_WORDS] = wordLists;
  const merged = new Set(wordLists.length === 0 ? FIRST_WORDS : []);
  for (const words of wordLists) {
    if (words.length < 2 || words[0] !== first[0] || words[1] !== first[1] || new Set(words).size !== words.length) {
      throw new LabError(
        'internal',
        'The words of environments must be distinct and begin with the same two, usually <pad> and <bos>.',
        'Correct the list of words in the environment’s file.',
      );
    }
    for (const word of words) merged.add(word);
  }
  return [...merged];
}

/** Beginning of the tokens that pad a vocabulary: a policy may draw them, no world says them. */
const UNUSED = '<unused-';

export const isUnused = (word: string): boolean => word.startsWith(UNUSED);
export const unusedWord = (token: number): string => `${UNUSED}${token}>`;

/** Vocabulary of several lists of words, padded. */
export function composeVocabulary(wordLists: readonly (readonly string[])[]): Vocabulary {
  const tokens = new Map(mergeWords(wordLists).map((word, token) => [word, token]));
  while (tokens.size % MULTIPLE !== 0) tokens.set(unusedWord(tokens.size), tokens.size);
  return { words: [...tokens.keys()], size: tokens.size, indexOf: (word) => tokens.get(word) ?? -1 };
}
