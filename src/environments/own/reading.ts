/** Reading of values from the sandbox: texts, numbers, objects and lists of words, each refused in words for its author. */
import { excerpt, isPrintable } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import { NOWHERE, WorldError } from './examine/failure';

/** Bounds of a file's values. */
export const OWN_LIMITS = {
  settings: 16,
  /** Choices of one setting. */
  choices: 64,
  words: 2000,
  wordCharacters: 40,
  sets: 32,
  actionWords: 32,
  turns: 200,
  /** Words of a prompt, or of an answer. */
  said: 512,
  /** Characters of a state’s JSON: each episode of a batch has one. */
  state: 100_000,
} as const;

/** An object that the sandbox wrote. */
export function refuse(what: string): never {
  throw new WorldError(NOWHERE, '', { what });
}

/** Refuses a field that is not known, and names those that are. */
export function refuseField(by: string, strange: string, of: string, known: readonly string[]): never {
  return refuse(`${by} returns “${excerpt(strange, 30)}”, which no ${of} has: there are ${known.join(', ')}`);
}

/** Text of a value that the sandbox wrote, for a message. An object may have any `toString`. */
export const inText = (told: unknown): string => (typeof told === 'object' ? JSON.stringify(told) : String(told));

/** An object that the sandbox wrote. Throws WorldError for anything else. */
export function readObject(text: string, what: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(`${what} is not what the lab can read`);
  }
  return isJson(value) ? value : refuse(`${what} is no object`);
}

export function readText(value: unknown, what: string, most: number): string {
  if (typeof value !== 'string' || value.trim() === '') return refuse(`${what} is missing`);
  if (value.length > most || !isPrintable(value)) refuse(`${what} must be one line of at most ${most} characters`);
  return value;
}

export function readWhole(value: unknown, what: string, max: number, min = 1): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
  return refuse(`${what} must be a whole number from ${min} to ${max}`);
}

/** A list of different words. Throws WorldError. */
export function readWords(told: unknown, where: string): string[] {
  if (!Array.isArray(told)) return refuse(`${where} must be a list of words`);
  // Before anything is done with each: a list may have millions.
  if (told.length > OWN_LIMITS.words) refuse(`There are more than ${OWN_LIMITS.words} words in ${where}`);
  for (const word of told as unknown[]) {
    const fits = typeof word === 'string' && word.length > 0 && word.length <= OWN_LIMITS.wordCharacters;
    if (fits && isPrintable(word) && !/\s/.test(word) && !/^<.*>$/.test(word)) continue;
    const rules = `a word is a text of 1 to ${OWN_LIMITS.wordCharacters} characters without spaces, and not <like this>`;
    const mend = typeof word === 'number' ? `; write it as '${word}'` : '';
    refuse(`“${excerpt(inText(word), 40)}” in ${where} is no word: ${rules}${mend}`);
  }
  const words = told as string[];
  const twice = words.find((word, at) => words.indexOf(word) !== at);
  if (twice !== undefined) refuse(`“${excerpt(twice, 40)}” is twice in ${where}`);
  return words;
}
