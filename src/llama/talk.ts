/**
 * Talk with a model, turn by turn: tokens of what is said are appended and never tokenised again, those that the model draws stay as
 * drawn. With a chat template a line is a message of the user; without one the text goes on behind it.
 */
import { LabError } from '../foundation/errors';
import type { ChatTemplate, Message } from './chatTemplate';
import { type Choice, following, type TextDecoding } from './decoding';
import { damaged } from './folder';
import type { TextTokens } from './text';

export interface TalkOptions {
  readonly template: ChatTemplate | null;
  readonly choose: Choice;
  /** Tokens that end a text and are no part of it. */
  readonly ends: ReadonlySet<number>;
  /** True where the last of a reply's tokens ends it. */
  readonly isOver: (drawn: readonly number[]) => boolean;
  /** Texts that end a reply; the token in which one ends stays whole. */
  readonly stops: readonly string[];
  /** Longest reply in tokens. */
  readonly most: number;
}

export interface Reply {
  readonly text: string;
  readonly tokens: readonly number[];
  /** End of the reply; `full`: there is no more room. */
  readonly ended: 'end' | 'stop' | 'most' | 'full' | 'interrupted';
}

/** Marks where the model spoke in a template's text. */
const SAID = '\u{f8ff}';

export class Talk {
  readonly #decoding: TextDecoding;
  readonly #tokens: TextTokens;
  readonly #options: TalkOptions;
  #messages: readonly Message[] = [];
  /** Last token drawn, which was not fed yet. */
  #pending: readonly number[] = [];
  #begins = true;
  #reply: Reply = { text: '', tokens: [], ended: 'end' };

  constructor(decoding: TextDecoding, tokens: TextTokens, options: TalkOptions) {
    this.#decoding = decoding;
    this.#tokens = tokens;
    this.#options = options;
  }

  /** Last reply, also one that was left before its end. */
  get last(): Reply {
    return this.#reply;
  }

  /** Pieces of the model's reply to a line. Throws LabError 'limits' where there is no room. */
  async *reply(line: string): AsyncGenerator<string, void> {
    const prompt = this.#prompt(line);
    const spoken = new Spoken(this.#tokens, [...this.#decoding.fed, ...prompt]);
    const drawn: number[] = [];
    let text = '';
    let ended: Reply['ended'] | null = null;
    try {
      for await (const token of following(this.#decoding, prompt, this.#options.choose)) {
        this.#pending = [];
        if (this.#options.ends.has(token)) ended = 'end';
        else {
          this.#pending = [token];
          drawn.push(token);
          const piece = spoken.add(token);
          text += piece;
          if (piece !== '') yield piece;
          ended = this.#reasonToEnd(drawn, text);
        }
        if (ended !== null) break;
      }
      const rest = spoken.rest();
      text += rest;
      if (rest !== '') yield rest;
    } finally {
      this.#reply = { text, tokens: drawn, ended: ended ?? 'interrupted' };
      this.#messages = [...this.#messages, { role: 'assistant', content: text }];
      // A template writes the end of a turn itself; without one a text is over.
      this.#begins = this.#options.template === null && ended === 'end';
    }
  }

  /** Tokens to feed before the model speaks. */
  #prompt(line: string): readonly number[] {
    const { template } = this.#options;
    if (this.#begins) {
      this.#decoding.begin();
      this.#pending = [];
    }
    const said = template === null ? this.#continued(line) : this.#turn(line, template);
    const prompt = [...this.#pending, ...said];
    if (prompt.length > 0) return prompt;
    throw new LabError('invalid-experiment', 'There is no text that the model could go on with.', 'Write a line.');
  }

  #continued(line: string): readonly number[] {
    if (this.#begins) return this.#tokens.first(line);
    return line === '' ? [] : this.#tokens.next(` ${line}`);
  }

  /** Text that the template writes from the end of the model's last turn to where it speaks again. */
  #turn(line: string, template: ChatTemplate): readonly number[] {
    const before = this.#messages.map((one, i) => (i === this.#messages.length - 1 ? { ...one, content: SAID } : one));
    this.#messages = [...this.#messages, { role: 'user', content: line }];
    if (this.#begins) return this.#tokens.marked(template(this.#messages));
    const text = template([...before, { role: 'user', content: line }]);
    const at = text.lastIndexOf(SAID);
    if (at < 0) throw damaged('The chat template leaves out what the model says.');
    return this.#tokens.next(text.slice(at + SAID.length));
  }

  #reasonToEnd(drawn: readonly number[], text: string): Reply['ended'] | null {
    const { isOver, stops, most } = this.#options;
    if (isOver(drawn) || stops.some((stop) => text.includes(stop))) return 'stop';
    if (drawn.length === most) return 'most';
    return this.#decoding.fed.length === this.#decoding.room ? 'full' : null;
  }
}

/** Text of tokens as they come. Bytes that may be the beginning of a letter wait for the others. */
class Spoken {
  readonly #tokens: TextTokens;
  /** Tokens before, whose text is told. */
  #told: readonly number[];
  #waiting: readonly number[] = [];

  constructor(tokens: TextTokens, before: readonly number[]) {
    this.#tokens = tokens;
    this.#told = before;
  }

  add(token: number): string {
    this.#waiting = [...this.#waiting, token];
    return this.#text().endsWith('\ufffd') ? '' : this.rest();
  }

  /** Text that waits for further tokens. */
  rest(): string {
    const text = this.#text();
    if (this.#waiting.length > 0) this.#told = this.#waiting;
    this.#waiting = [];
    return text;
  }

  /** Decoded together with what was before, because a text's first space is not told. */
  #text(): string {
    const { textOf } = this.#tokens;
    return textOf([...this.#told, ...this.#waiting]).slice(textOf(this.#told).length);
  }
}
