/** Words of a world as tokens: it says a list of words, or a text with spaces between them. A number is its digits. */
import { excerpt } from '../../../foundation/errors';
import { nearest } from '../../../foundation/nearest';
import type { Description } from '../description';
import { NOWHERE, WorldError } from '../examine/failure';
import { inText, OWN_LIMITS, refuse } from '../reading';

/** Tokens of the prompt that start() says. */
export function promptTokens(said: unknown, description: Description): readonly number[] {
  const { text } = description;
  if (text === null) return wordTokens(said, description, 'start()');
  const told = stringIn(said, 'start()');
  const tokens = text.prompt(told);
  return tokens.length > 0 && !(text.chats && told === '')
    ? tokens
    : refuse('start() says nothing that a text could begin with');
}

/** Tokens of the words that step() says after others, in a chat as one message. `isOver`: nobody replies to it. */
export function saidTokens(
  { warn, say }: { readonly warn: unknown; readonly say: unknown },
  isOver: boolean,
  description: Description,
): { readonly warned: readonly number[]; readonly said: readonly number[] } {
  const { text } = description;
  const words = (told: unknown): readonly number[] => wordTokens(told, description, 'step()');
  if (text === null) return { said: words(say), warned: words(warn) };
  const [told, complaint] = [stringIn(say, 'step()'), stringIn(warn, 'step()')];
  if (!text.chats) return { warned: text.next(complaint), said: text.next(told) };
  if (complaint === '') return { warned: [], said: told === '' ? [] : text.answer(told, isOver) };
  const [before, after] = text.chat.next;
  const behind = isOver ? '' : after;
  if (told === '') return { warned: text.next(before + complaint + behind), said: [] };
  return { warned: text.next(before + complaint), said: text.next(told + behind) };
}

function stringIn(said: unknown, who: string): string {
  if (Array.isArray(said) && said.length === 0) return '';
  const asWell = typeof said === 'object' ? ": a tool’s answer is a text too, in a world with chat: 'tool'" : '';
  return typeof said === 'string' ? said : refuse(`${who} says something that is no text${asWell}`);
}

/** `who` is the function that said it. Throws WorldError for a word that was never declared. */
export function wordTokens(said: unknown, description: Description, who: string): readonly number[] {
  const isOne = typeof said === 'string' || typeof said === 'number';
  const words = isOne
    ? String(said)
        .split(/\s+/)
        .filter((word) => word !== '')
    : said;
  if (!Array.isArray(words)) return refuse(`${who} says something that is neither a list of words nor a text`);
  if (words.length > OWN_LIMITS.said) refuse(`${who} says more than ${OWN_LIMITS.said} words`);
  return words.map((word: unknown) => {
    const token =
      typeof word === 'string' || typeof word === 'number' ? description.tokens.get(String(word)) : undefined;
    return token ?? refuseWord(inText(word), description, who);
  });
}

/**
 * Tokens of the right answer that answer() told, as an action of the first set that has it; null where it told none. Throws
 * WorldError for what is no action.
 */
export function answerTokens(told: unknown, description: Description): readonly number[] | null {
  if (told === null) return null;
  const words = wordTokens(told, description, 'answer()');
  const set = description.sets.find(
    ({ tokens, most }) => words.length > 0 && words.length <= most && words.every((word) => tokens.includes(word)),
  );
  if (set === undefined) return refuse('answer() says what is no action');
  return set.most > 1 ? [...words, description.stopToken] : words;
}

function refuseWord(word: string, { kinds, tokens }: Description, who: string): never {
  // Numbered words that differ in their number were not misspelt.
  const numberless = (name: string): string => name.replace(/\d+/g, '0');
  const known = [...tokens.keys()].filter((name) => !name.startsWith('<') && numberless(name) !== numberless(word));
  const meant = nearest(word, known);
  const what = `${who} says “${excerpt(word, 40)}”, which is not in words`;
  throw new WorldError(NOWHERE, '', {
    what,
    ...(meant === null ? {} : { meant: { word: meant, isSaid: kinds[tokens.get(meant) ?? 0] === 'words' } }),
  });
}
