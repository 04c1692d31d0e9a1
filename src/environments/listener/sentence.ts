/** A sentence that the agent says to a listener, read: what it takes up, whose words it says, what it repeats. */

const wordsOf = (sentence: string): readonly string[] => sentence.toLowerCase().match(/[a-z]+/g) ?? [];

/** True where it holds the thing as a whole word. */
export const takesUp = (sentence: string, thing: string): boolean => wordsOf(sentence).includes(thing);

/** True where it begins as Tom's question does: “Tell”. */
export const saysBack = (sentence: string): boolean => wordsOf(sentence)[0] === 'tell';

/** Share of its words that it had said before; NaN without a word. */
export function repeatedShare(sentence: string): number {
  const words = wordsOf(sentence);
  return 1 - new Set(words).size / words.length;
}

/** Times that a word may be said in a sentence where repetition is refused. */
const MOST_TIMES = 2;

/** True where a word is said three times, or Tom's own words are said. */
export function repeats(sentence: string): boolean {
  const words = wordsOf(sentence);
  const times = (word: string): number => words.filter((one) => one === word).length;
  return words.some((word) => times(word) > MOST_TIMES) || /\btell me about\b/i.test(sentence);
}
