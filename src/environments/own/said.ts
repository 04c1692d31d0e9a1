/** Words of a world as tokens: it says a list of words, or a text with spaces between them. A number is its digits. */
import { excerpt } from '../../foundation/errors';
import type { Description } from './described';
import { OWN_LIMITS, refuse } from './reading';

/** `who` is the function that said it. Throws WorldError for a word that was never declared. */
export function wordTokens(said: unknown, { tokens }: Description, who: string): readonly number[] {
  const isOne = typeof said === 'string' || typeof said === 'number';
  const words = isOne
    ? String(said)
        .split(/\s+/)
        .filter((word) => word !== '')
    : said;
  if (!Array.isArray(words)) return refuse(`${who} says something that is neither a list of words nor a text`);
  if (words.length > OWN_LIMITS.said) refuse(`${who} says more than ${OWN_LIMITS.said} words`);
  return words.map((word: unknown) => {
    const token = typeof word === 'string' || typeof word === 'number' ? tokens.get(String(word)) : undefined;
    return token ?? refuse(`${who} says “${excerpt(String(word), 40)}”, which is not among the words of the world`);
  });
}
