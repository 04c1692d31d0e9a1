/**
 * The reader's own tokenizer and chat template, from files of the model: texts of tokens whose ids alone came, tokens of texts,
 * and what the template writes around the turns of a conversation. Their code is loaded only where such a file is given.
 */
import { LabError, reasonOf } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';
import { type ChatTurn, readable, turnsOfTexts } from './chat';
import { field } from './json';
import type { TemplateDifference } from './trajectory';

/** Fields that are told where they were computed by the reader's files and not read. */
export const COMPUTED_TEXTS = 'texts of tokens (by your tokenizer)';
export const COMPUTED_TOKENS = 'tokens of texts (by your tokenizer)';

/** Contents of the tokenizer's files that the reader chose. */
export interface OwnFiles {
  /** Text of tokenizer.json; null without one. */
  readonly tokenizer: string | null;
  /** Text of tokenizer_config.json, or of the template alone; null without one. */
  readonly template: string | null;
}

export interface OwnTexts {
  /** Text of a token as its vocabulary has it; null without a tokenizer. */
  readonly textOf: ((id: number) => string) | null;
  readonly encode: ((text: string) => number[]) | null;
  /** Differences of the tokens' texts from what the template writes; null if it cannot be said. */
  readonly differences: ((texts: readonly string[]) => readonly TemplateDifference[] | null) | null;
}

/** Clock under which the files' programs run, which may never end; throws where their time is over. */
export type TextClock = <T>(work: () => T) => T;

/** Throws LabError 'invalid-batch' for files that are no tokenizer or template. */
export async function ownTexts({ tokenizer, template }: OwnFiles, clock: TextClock): Promise<OwnTexts | null> {
  if (tokenizer === null && template === null) return null;
  const config = template === null ? null : jsonIn(template);
  const text = config === null ? template : templateIn(config);
  const { textOf = null, encode = null } = tokenizer === null ? {} : await tokenizerOf(tokenizer, config, clock);
  const differences = text === null ? null : await differencesFrom(text, config ?? {}, clock);
  return {
    textOf,
    encode: encode && ((part) => attempt('tokenizer', () => clock(() => encode(part)))),
    differences: differences && ((texts) => attempt('chat template', () => clock(() => differences(texts)))),
  };
}

async function tokenizerOf(
  text: string,
  config: Json | null,
  clock: TextClock,
): Promise<{ textOf: (id: number) => string; encode: (text: string) => number[] }> {
  const description = jsonIn(text);
  if (description === null) throw refused('The tokenizer is no JSON.');
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const one = attempt('tokenizer', () => clock(() => new Tokenizer(description, config ?? {})));
  return {
    textOf: (id) => one.id_to_token(id) ?? `${id}`,
    encode: (part) => one.encode(part, { add_special_tokens: false }).ids,
  };
}

/** Marks in the rendered text in the place of an author's words, and of a date, which nobody knows. */
const [SAID, DATE] = ['\u{f8ff}', '\u{f8fe}'];
/** Thoughts in a rendered text, which are not compared: templates keep them or leave them out. */
const THOUGHT = /<think>[\s\S]*?<\/think>\s*/g;
/** Names by which templates know authors. */
const AUTHORS: Readonly<Record<string, string>> = { model: 'assistant', observation: 'tool' };

/** Role of a turn's message. Qwen's templates put tools' answers into turns of the user. */
function roleIn(texts: readonly string[], { author, body }: ChatTurn): string {
  const isTool = texts
    .slice(body, body + 4)
    .map(readable)
    .join('')
    .startsWith('<tool_response>');
  return isTool ? 'tool' : (AUTHORS[author] ?? author);
}

async function differencesFrom(text: string, config: Json, clock: TextClock): Promise<OwnTexts['differences']> {
  const { Environment, Interpreter, parse, tokenize } = await import('@huggingface/jinja');
  /** Error of a template that made too much: the next conversation would take as long, as with the clock. */
  let excess: Error | null = null;
  /** Ends a program that makes too much: a clock does not end one long operation, nor does it bound the memory. */
  class Bounded extends Interpreter {
    #left = MOST_MADE;

    override evaluate(...what: Parameters<InstanceType<typeof Interpreter>['evaluate']>) {
      const made = super.evaluate(...what);
      const { value }: { readonly value: unknown } = made;
      this.#left -= typeof value === 'string' || Array.isArray(value) ? 1 + value.length : 1;
      if (this.#left >= 0) return made;
      excess = new Error(`it makes more than ${MOST_MADE} values and letters for one conversation`);
      throw excess;
    }
  }
  const layout = { lstrip_blocks: true, trim_blocks: true };
  const program = attempt('chat template', () => clock(() => parse(tokenize(text, layout))));
  const names = ['bos_token', 'eos_token', 'pad_token'];
  const special = Object.fromEntries(names.map((name) => [name, specialIn(config, name)]));
  const written = new Map<string, readonly string[]>();
  /** Text before, between and behind the turns of these roles. */
  const piecesOf = (roles: readonly string[]): readonly string[] => {
    if (excess !== null) throw excess;
    const key = roles.join(' ');
    const messages = roles.map((role) => ({ role, content: SAID }));
    const render = (): string => {
      const environment = new Environment();
      const names = { ...GLOBALS, messages, ...special, date_string: DATE };
      for (const [name, value] of Object.entries(names)) environment.set(name, value);
      return String(new Bounded(environment).run(program).value);
    };
    const pieces = written.get(key) ?? render().replace(THOUGHT, '').split(SAID);
    written.set(key, pieces);
    return pieces;
  };
  return (texts) => {
    const turns = turnsOfTexts(texts);
    return turns === null ? null : compare(texts, turns, piecesOf(turns.map((turn) => roleIn(texts, turn))));
  };
}

/** Values, letters and steps of a program for one conversation; templates of models need some thousands. */
const MOST_MADE = 10_000_000;

/** Names that a template knows. The interpreter's own clock would tell another date, its range fill the memory. */
const GLOBALS = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
  raise_exception: (what: string): never => {
    throw new Error(what);
  },
  strftime_now: () => DATE,
  range: (from: number, to?: number | null, step = 1): number[] => {
    const [first, end] = typeof to === 'number' ? [from, to] : [0, from];
    const length = Math.max(0, Math.ceil((end - first) / step));
    if (!(length <= LONGEST_RANGE)) throw new Error(`range() of ${length} numbers`);
    return Array.from({ length }, (_, at) => first + at * step);
  },
};
const LONGEST_RANGE = 100_000;

/** Compares the texts before each turn with those that the template writes there. */
function compare(
  texts: readonly string[],
  turns: readonly ChatTurn[],
  pieces: readonly string[],
): TemplateDifference[] {
  const textOf = (from: number, to: number): string => texts.slice(from, to).map(readable).join('');
  if (pieces.length !== turns.length + 1) {
    return [
      { token: 0, what: `the chat template writes ${pieces.length - 1} turns, the batch has ${turns.length}, from` },
    ];
  }
  return turns.flatMap(({ body, end }, turn) => {
    const before = turns[turn - 1];
    const from = before?.end ?? 0;
    const piece = pieces[turn] ?? '';
    const here = textOf(from, body);
    if (here === piece) return [];
    // A template may write something beside the text of an author, which the batch has as said.
    const said = before === undefined ? '' : textOf(before.body, from);
    const pattern = piece.split(DATE).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    const match = new RegExp(pattern.join('.*')).exec(said.slice(-piece.length) + here + textOf(body, end));
    const [begins, ends] = [Math.min(said.length, piece.length), Math.min(said.length, piece.length) + here.length];
    if (match !== null && match.index <= begins && match.index + match[0].length >= ends) return [];
    return [
      { token: from, what: `the chat template writes “${shortened(piece)}”, the batch has “${shortened(here)}”, from` },
    ];
  });
}

const shortened = (text: string): string => text.slice(0, 60).replaceAll('\n', '⏎');

function jsonIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
}

/** A configuration has one template, or several by name. */
function templateIn(config: Json): string | null {
  const value = field(config, 'chat_template');
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const named = value.filter(isJson);
  const one = named.find((each) => field(each, 'name') === 'default') ?? named[0];
  const text = one && field(one, 'template');
  return typeof text === 'string' ? text : null;
}

/** A special token's text: a configuration has it alone or with how it is stripped. */
function specialIn(config: Json, name: string): string {
  const value = field(config, name);
  const text = isJson(value) ? field(value, 'content') : value;
  return typeof text === 'string' ? text : '';
}

function attempt<T>(file: 'tokenizer' | 'chat template', work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw refused(`The ${file} could not be used: ${reasonOf(cause)}.`, cause);
  }
}

const refused = (what: string, cause?: unknown): LabError =>
  new LabError('invalid-batch', what, 'Name tokenizer.json and tokenizer_config.json of the model.', { cause });
