/**
 * An episode of a world in words, said to somebody who reads language: the task and what is legal before the prompt, a reason behind
 * each complaint, and actions out of free text (actions.ts).
 */
import { excerpt } from '../../foundation/errors';
import { MALFORMED_WORD } from '../decoding';
import type { Environment, SaidRole, WorldSlots } from '../environment';
import { longestAction, playedIn } from '../replay';
import { findAction } from './actions';
import { FIRST_WORD, wordsOf } from './described';

/** Most legal actions that are listed. */
const MOST_SAID = 60;

export interface SaidSpan {
  readonly role: SaidRole;
  text: string;
  readonly tokens: number[];
}

/** The task in sentences, and the form of an answer to it. */
export function instruction(environment: Environment, asks: string, legal: string): string {
  return `${asks}\nAnswer with one action and nothing else, in at most ${environment.maxTurns} turns. ${legal}`;
}

/** Words that are legal now, in a sentence. `most`: tokens of an action, its stop token included. */
export function legalSentence(words: readonly string[], most: number): string {
  const listed = words.slice(0, MOST_SAID).join(' ') + (words.length > MOST_SAID ? ' …' : '');
  return most === 1 ? `Legal now: ${listed}.` : `Legal now: up to ${most - 1} of these words: ${listed}.`;
}

export class Conversation {
  readonly #environment: Environment;
  readonly #summary: string;
  readonly #world: WorldSlots;
  readonly #slot: number;
  readonly #tokenOf: ReadonlyMap<string, number>;
  readonly #list: typeof legalSentence;
  #said: SaidSpan[] = [];
  #tokens = 0;
  #turns = 0;
  #isPlain = false;
  #isFull = false;

  /** `list`: how legal words are said. */
  constructor(environment: Environment, summary: string, world: WorldSlots, slot: number, list = legalSentence) {
    this.#environment = environment;
    this.#summary = summary;
    this.#world = world;
    this.#slot = slot;
    this.#list = list;
    this.#tokenOf = new Map(environment.words.map((word, token) => [word, token]));
  }

  /** Last answer of the world, span by span. */
  get said(): readonly SaidSpan[] {
    return this.#said;
  }

  /** Words that are legal now; for actions of several words those that they may contain. */
  get legal(): readonly string[] {
    return wordsOf(this.#environment, this.#world.legalSet(this.#slot));
  }

  get isOver(): boolean {
    return this.#world.isDone(this.#slot) || this.#turns >= this.#environment.maxTurns || this.#isFull;
  }

  /** Begins an episode; a plain one has no instruction and gives no reasons. */
  begin(task: Int32Array, isPlain = false): void {
    this.#isPlain = isPlain;
    this.#tokens = 0;
    this.#turns = 0;
    this.#isFull = false;
    this.#said = [];
    this.#world.reset(this.#slot, task, { emit: (token, role) => this.#hear(token, role) });
    const { writing } = this.#environment;
    if (writing !== undefined) this.#write((tokens) => writing.begun(tokens));
    // The policy goes on with the text: an instruction would become a part of it.
    if (isPlain || writing !== undefined) return;
    const { asks = this.#summary } = playedIn(this.#environment, this.#environment.environmentOf?.(task) ?? 0);
    const text = instruction(this.#environment, asks, this.#tellLegal());
    const first = this.#said[0];
    if (first === undefined) this.#said.push({ role: 'prompt', text, tokens: [] });
    else first.text = `${text}\n\n${first.text}`;
  }

  /** Steps the world by a text. Returns the action's tokens. */
  act(text: string, isBrief = false): readonly number[] {
    const { tokens, fault } = this.#read(text);
    this.#said = [];
    this.#turns++;
    const { writing } = this.#environment;
    // A trainer's own tokens fill its own context.
    if (writing === undefined) this.#tokens += tokens.length;
    this.#world.step(this.#slot, tokens, { emit: (token, role) => this.#hear(token, role) });
    if (writing !== undefined) this.#write((said) => writing.textOf(said));
    const isMalformed = fault !== null || this.#said.some((span) => span.text.split(' ').includes(MALFORMED_WORD));
    if (isMalformed && !this.#isPlain) {
      this.#explain(isBrief ? 'This is no action now.' : (fault ?? `“${excerpt(text)}” is no action now.`));
    }
    return tokens;
  }

  /** Tokens of a text; with a fault those that every world takes for a malformed action: words that are none become padding. */
  #read(text: string): { tokens: readonly number[]; fault: string | null } {
    const { maxActionTokens, stopToken, thoughts, words, writing } = this.#environment;
    if (writing !== undefined) return { tokens: writing.typed(text), fault: null };
    const most = longestAction(this.#environment, this.#world, this.#slot);
    const pieces = text.trim().split(/\s+/, (thoughts?.most ?? 0) + most + 1);
    const drawn = pieces.map((piece) => this.#tokenOf.get(piece) ?? 0);
    const end = thoughts === undefined ? 0 : drawn.slice(0, thoughts.most).indexOf(thoughts.end) + 1;
    let [tokens, fault]: [number[], string | null] = [drawn.slice(end), null];
    const isSpelled =
      !tokens.includes(0) && (maxActionTokens > 1 || tokens.length === 1) && !text.trim().includes('\n');
    if (!isSpelled && !this.#isPlain) {
      const said = end > 0 ? pieces.slice(end).join(' ') : text;
      const form = { words: this.legal, most: Math.max(1, most - 1), stop: words[stopToken] };
      const found = findAction(said, form);
      if (typeof found === 'string') [tokens, fault] = [[0], found];
      else tokens = found.map((word) => this.#tokenOf.get(word) ?? 0);
    }
    if (maxActionTokens === 1) return { tokens: tokens.length === 1 ? tokens : [0], fault };
    const isStopped = tokens.includes(stopToken);
    return { tokens: [...tokens, ...(isStopped ? [] : [stopToken])].slice(0, most), fault };
  }

  #hear(token: number, role: SaidRole): boolean {
    if (this.#tokens >= this.#environment.context) {
      this.#isFull = true;
      return false;
    }
    this.#tokens++;
    if (token < FIRST_WORD && this.#environment.writing === undefined) return true;
    const word = this.#environment.words[token] ?? '';
    const last = this.#said.at(-1);
    if (last?.role === role) {
      last.text += ` ${word}`;
      last.tokens.push(token);
    } else this.#said.push({ role, text: word, tokens: [token] });
    return true;
  }

  #write(textOf: (tokens: readonly number[]) => string): void {
    for (const span of this.#said) span.text = textOf(span.tokens);
  }

  #explain(fault: string): void {
    const legal = this.isOver ? '' : ` ${this.#tellLegal()}`;
    const warned = this.#said[0]?.text.split(' ').includes(MALFORMED_WORD) ? this.#said[0] : null;
    if (warned === null)
      this.#said.unshift({ role: 'warning', tokens: [], text: `${MALFORMED_WORD}: ${fault}${legal}` });
    else warned.text += `: ${fault}${legal}`;
  }

  #tellLegal(): string {
    return this.#list(this.legal, longestAction(this.#environment, this.#world, this.#slot));
  }
}
