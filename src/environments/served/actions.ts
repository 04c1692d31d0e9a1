/**
 * Actions in a language model's words: `UP`, `I will go up.`, `<think>…</think>up`, `{"action": "up"}`. An action is found where the
 * text has one and no other; otherwise the reader says why there is none.
 */
import { excerpt } from '../../foundation/errors';

/** Words that may be said now. */
export interface SayableWords {
  readonly words: readonly string[];
  /** Largest number of words of an action. */
  readonly most: number;
  /** Word that ends an action; undefined where an action is one word. */
  readonly stop: string | undefined;
}

/** An action's words without the one that ends it, or the reason why there is none, as a sentence. */
export type Found = readonly string[] | string;

const CLOSED_THOUGHTS = /^[\s\S]*<\/(?:think|thinking|thought|reasoning)>/i;
const OPEN_THOUGHTS = /<(?:think|thinking|thought|reasoning)>[\s\S]*$/i;
/** Places that say that an answer is there; the last one counts. */
const MARKED = /<(\w+)>([\s\S]*?)<\/\1>|\\boxed\{([^{}]*)\}|```(?:[\w-]*\n)?([\s\S]*?)```/g;
/** Places where an action may be mentioned. */
const QUOTED = /"([^"\n]*)"|“([^”]*)”|‘([^’]*)’|'([^'\n]*)'|`([^`\n]*)`|\*\*([^*\n]*)\*\*/g;
/** Signs around a word that do not belong to it; a minus or a currency does. */
const AROUND = /^[\s"'`“”‘’«»*_.,;:!?()[\]{}<>]+|[\s"'`“”‘’«»*_.,;:!?()[\]{}<>]+$/g;

/** Signs before an action in a line of its own: `Action: ls home`, `$ ls home`. */
const LABEL = /^\s*(?:[^:\n]*:|[$>#])\s+/;
/** Characters before the end of a text that are searched. */
const SEARCHED = 2000;

const spans = (text: string, form: RegExp): string[] =>
  Array.from(text.matchAll(form), (match) => match.slice(1).findLast((one) => one !== undefined) ?? '');

export function findAction(said: string, wanted: SayableWords): Found {
  const thoughtless = said.replace(CLOSED_THOUGHTS, '').replace(OPEN_THOUGHTS, '').trim();
  if (thoughtless === '')
    return said.trim() === '' ? 'Nothing was said.' : 'There are thoughts, and no action after them.';
  let text = thoughtless.slice(-SEARCHED);
  for (let inner = spans(text, MARKED).at(-1); inner !== undefined; inner = spans(text, MARKED).at(-1)) text = inner;
  const spell = speller(wanted);
  const places = [
    [text],
    spans(text, QUOTED),
    text.split('\n').map((line) => line.replace(LABEL, '')),
    wanted.most === 1 ? text.split(/\s+/) : [],
  ];
  for (const place of places) {
    const found = new Map(place.map(spell).flatMap((words) => (words === null ? [] : [[words.join(' '), words]])));
    if (found.size > 1)
      return `It names several actions (${[...found.keys()].slice(0, 4).join(', ')}), and one is to be said.`;
    for (const words of found.values()) return words;
  }
  return `“${excerpt(text, 60)}” is no action now.`;
}

/** Function that spells a text as words of an action; null where it is none. */
function speller({ words, most, stop }: SayableWords): (text: string) => readonly string[] | null {
  const known = new Map(words.map((word) => [word, word]));
  for (const word of words) {
    const lower = word.toLowerCase();
    if (words.some((other) => other !== word && other.toLowerCase() === lower)) continue;
    if (!known.has(lower)) known.set(lower, word);
  }
  const spellOne = (piece: string): string | undefined => {
    const bare = piece.replaceAll(AROUND, '');
    return known.get(piece) ?? known.get(bare) ?? known.get(bare.toLowerCase());
  };
  return (text) => {
    const pieces = text.split(/\s+/).filter((piece) => piece !== '');
    const end = stop === undefined ? -1 : pieces.indexOf(stop);
    const spelled = (end < 0 ? pieces : pieces.slice(0, end)).map(spellOne);
    const isLine = !text.trim().includes('\n');
    const isAction = isLine && spelled.length <= most && (spelled.length > 0 || end === 0);
    return isAction && spelled.every((word) => word !== undefined) ? spelled : null;
  };
}
