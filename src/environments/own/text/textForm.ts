/**
 * The text form of a world in one file: it says strings, and an action is the string that the policy wrote until a stop. Tokens are
 * appended and never tokenised again, so that each keeps the role that it had when it came.
 */
import { LabError } from '../../../foundation/errors';
import { type ChatParts, endOfReply } from '../../../llama/chatTemplate';
import type { TextTokens } from '../../../llama/text';
import type { Writing } from '../../environment';
import { FIRST_WORDS, isUnused, unusedWord } from '../../vocabulary';
import { OWN_LIMITS, refuse } from '../reading';
import { tokensFor } from './tokenizers';

/** End of an action, by the file's words: the end of a sentence or a line, or one of these texts. */
export type Stop = 'sentence' | 'line' | readonly string[];

/**
 * A sentence ends behind a full stop, ! or ? (and closing marks) that a space or the token's end follows; like a line, it ends
 * with its line. Both are seen in a single token.
 */
const ENDS = { sentence: /[.!?]+["'”’)\]]*(?=\s|$)|\n/, line: /\n/ } as const;
/** Thoughts at the beginning of a text, and all space behind them. */
const THOUGHT = '\\s*<think>[\\s\\S]*?</think>\\s*(?!\\s)';
/** An end that no text has. */
const NEVER = '(?!)';

/** True for a chat of a user with the model; 'tool' for one in which a tool answers the model. */
type Chats = boolean | 'tool';

/** Stops of a list at most, and characters of each. */
const MOST_STOPS = 16;

export class TextForm implements Writing {
  /** Language model whose tokenizer it is. */
  readonly model: string;
  /** Names by token; the first two have those of every world where they are no pieces of text. */
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  /** Tokens that an action may have: all that say something, and the end of a text. */
  readonly legal: readonly number[];
  /** Tokens that end an action. */
  readonly stops: readonly number[];
  /** Largest number of tokens of an action. */
  readonly most: number;
  readonly #tokens: TextTokens;
  /** Tokens with which the model ends a text; in a chat the one that ends a reply comes first. */
  readonly #ends: readonly number[];
  readonly #chat: ChatParts | LabError | null;
  readonly #stop: Stop;
  readonly #thinks: boolean;
  /** True where a world's words are messages in the model's chat template, and an action is a reply. */
  readonly chats: boolean;
  /** True in a chat where a tool says the answers. */
  readonly #hearsTool: boolean;

  /** `thinks`: stops inside `<think>…</think>` end nothing. Throws LabError for a chat with a model that has no template. */
  constructor(
    model: string,
    stop: Stop,
    most: number,
    { thinks = false, chats = false }: { readonly thinks?: boolean; readonly chats?: Chats } = {},
  ) {
    const { tokens, count, chat } = tokensFor(model);
    this.#chat = chat;
    this.#hearsTool = chats === 'tool';
    this.chats = chats !== false && this.chat !== null;
    const end = this.chats ? endOfReply(this.chat.next[0], tokens) : undefined;
    const ends = [...new Set(end === undefined ? tokens.ends : [end, ...tokens.ends])];
    this.#ends = ends;
    this.model = model;
    this.most = most;
    this.#tokens = tokens;
    this.#stop = stop;
    this.#thinks = thinks;
    this.words = namesOf(tokens, count);
    this.kinds = this.words.map((_, token) => (isMark(token, tokens) ? 'marks' : 'pieces of text'));
    this.legal = [...this.words.keys()].filter((token) => !isMark(token, tokens) || ends.includes(token));
    this.stops = this.legal.filter(
      (token) => ends.includes(token) || (!thinks && this.#endOf(tokens.textAfter([token])) >= 0),
    );
  }

  /** Tokens of the prompt. */
  first(text: string): readonly number[] {
    return this.#tokens.first(text);
  }

  /** Tokens of a text said after others. */
  next(text: string): readonly number[] {
    return this.#tokens.next(text);
  }

  /** Tokens of a world's first words. */
  prompt(text: string): readonly number[] {
    if (!this.chats) return this.first(text);
    const [before, after] = this.chat.first;
    return this.marked(before + text + after);
  }

  /** Tokens of a world's answer. `isOver`: the episode ends with it, so that nobody replies. */
  answer(text: string, isOver = false): readonly number[] {
    if (!this.chats) return this.next(text);
    const [before, after] = this.chat.next;
    return text === '' && isOver ? [] : this.next(`${before}${text}${isOver ? '' : after}`);
  }

  /** The part of an action that a world is told: without thoughts. */
  reply(action: readonly number[]): string {
    const said = this.said(action);
    return this.#thinks ? said.slice(lengthOfThoughts(said)) : said;
  }

  /** Texts around the world's words in a conversation. Throws LabError where the model has no chat template. */
  get chat(): ChatParts {
    const chat = this.#chat;
    if (chat !== null && !(chat instanceof Error)) {
      if (!this.#hearsTool) return chat;
      if (chat.tool !== null) return { ...chat, next: chat.tool };
      const none = 'The model’s chat template has no messages of a tool.';
      throw new LabError('invalid-experiment', none, 'Set chat to true: the user then says what a tool answers.');
    }
    const what = chat?.what ?? 'The model has no chat template, so that nothing can be said to it as a chat.';
    const advice =
      chat === null ? 'open the folder of a model that has one' : 'correct the template in the model’s folder';
    throw new LabError('invalid-experiment', what, `Leave chat out, or set it to false; or ${advice}.`, {
      cause: chat,
    });
  }

  /** Tokens of a prompt that a chat template wrote, its marks among them. */
  marked(text: string): readonly number[] {
    return this.#tokens.marked(text);
  }

  /** The token with which the model ends a text; undefined where its tokenizer names none. */
  get ending(): number | undefined {
    return this.#ends[0];
  }

  get end(): string {
    return this.#thinks ? `^(?:${THOUGHT}|(?!\\s*<think>))[\\s\\S]*?(?:${this.#stopSource})` : this.#stopSource;
  }

  get #stopSource(): string {
    const stop = this.#stop;
    if (typeof stop === 'string') return ENDS[stop].source;
    return stop.length === 0 ? NEVER : stop.map((one) => one.replaceAll(/[^\p{L}\p{N}\s_]/gu, '\\$&')).join('|');
  }

  begun(tokens: readonly number[]): string {
    return this.#tokens.begun(tokens);
  }

  /** Text of tokens that follow others. */
  textOf(tokens: readonly number[]): string {
    return this.#tokens.textAfter(tokens);
  }

  /** The string that an action says: up to its stop, which may end inside of its last token. */
  said(action: readonly number[]): string {
    const text = this.textOf(action);
    const end = this.#endOf(text);
    return end < 0 ? text : text.slice(0, end);
  }

  /** Length of an action (Environment.actionLength); null where single tokens end every action. */
  get actionLength(): ((drawn: readonly number[]) => number) | null {
    const stop = this.#stop;
    if (!this.#thinks && (typeof stop === 'string' || stop.length === 0)) return null;
    return (drawn) => {
      if (this.#endOf(this.textOf(drawn)) < 0) return drawn.length;
      let length = 1;
      while (length < drawn.length && this.#endOf(this.textOf(drawn.slice(0, length))) < 0) length++;
      return length;
    };
  }

  /** Tokens of a string as an action. Throws WorldError where it is none. */
  action(text: string, who: string): readonly number[] {
    const { ending } = this;
    const said = this.next(text);
    // A reply ends as the model ends a text.
    const isOpen = this.chats && ending !== undefined && said.length > 0 && this.#endOf(this.textOf(said)) < 0;
    const action = isOpen ? [...said, ending] : said;
    if (action.length === 0) return refuse(`${who} says nothing`);
    if (action.length > this.most) return refuse(`${who} says ${action.length} tokens, and maxTokens is ${this.most}`);
    const isEarly = action.slice(0, -1).some((token) => this.stops.includes(token));
    if (isEarly || this.said(action).length < this.textOf(action).trimEnd().length) {
      return refuse(`${who} goes on behind its stop`);
    }
    return action;
  }

  /** Tokens that a person may have typed: no more of them than an action has. */
  typed(text: string): readonly number[] {
    const action = this.next(text).slice(0, this.most);
    const stop = action.findIndex((token) => this.stops.includes(token));
    const whole = stop < 0 ? action : action.slice(0, stop + 1);
    return whole.slice(0, this.actionLength?.(whole));
  }

  /** Index behind the first stop in a text; -1 where there is none. */
  #endOf(text: string): number {
    const stop = this.#stop;
    const from = this.#thinks ? lengthOfThoughts(text) : 0;
    const rest = text.slice(from);
    if (typeof stop === 'string') {
      const found = ENDS[stop].exec(rest);
      return found === null ? -1 : from + found.index + found[0].length;
    }
    const ends = stop.flatMap((one) => (rest.includes(one) ? [from + rest.indexOf(one) + one.length] : []));
    return ends.length === 0 ? -1 : Math.min(...ends);
  }
}

/** Characters of the thoughts at the beginning of a text; all of it while they go on. */
function lengthOfThoughts(text: string): number {
  if (!/^\s*<think>/.test(text)) return 0;
  return new RegExp(`^${THOUGHT}`).exec(text)?.[0].length ?? text.length;
}

/** Tokens that say nothing: special ones, and numbers that no piece has. */
function isMark(token: number, { specials, pieces }: TextTokens): boolean {
  const { [token]: piece = '' } = pieces;
  return specials.has(token) || piece === '' || isUnused(piece);
}

/** Different names of `count` tokens. */
function namesOf(tokens: TextTokens, count: number): string[] {
  const taken = new Set(FIRST_WORDS);
  const names: string[] = [];
  for (let token = 0; token < count; token++) {
    const first = isMark(token, tokens) ? FIRST_WORDS[token] : undefined;
    const { [token]: piece = '' } = tokens.pieces;
    const name = first ?? (piece === '' ? unusedWord(token) : taken.has(piece) ? `${piece}#${token}` : piece);
    taken.add(name);
    names.push(name);
  }
  return names;
}

/** The stop that create() told; an action without one ends with a text's end, or at its longest. Throws WorldError. */
export function readStop(told: unknown): Stop {
  if (told === undefined) return [];
  if (told === 'sentence' || told === 'line') return told;
  const fits = (one: unknown): boolean =>
    typeof one === 'string' && one !== '' && one.length <= OWN_LIMITS.wordCharacters;
  if (Array.isArray(told) && told.length <= MOST_STOPS && told.every(fits)) return told as string[];
  const texts = `a list of up to ${MOST_STOPS} texts of at most ${OWN_LIMITS.wordCharacters} characters`;
  return refuse(`stop must be 'sentence', 'line' or ${texts}`);
}
