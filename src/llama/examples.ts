/**
 * Texts to fine-tune a model on, as tokens: a plain text, or JSONL in TRL's forms: {"text"}, {"prompt", "completion"} (texts, or
 * lists of messages) or {"messages"}, and {"tools"} beside lists. Of prompts, users' messages and what tools answer nothing is
 * learned.
 */
import { LabError } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';
import { type ChatTemplate, checkTools, type Message } from './chatTemplate';
import { damaged } from './folder';
import type { TextTokens } from './text';

/** At most so many tokens; the loss is on those that are learned, each from the ones before it. */
export interface Example {
  readonly tokens: readonly number[];
  readonly learned: readonly boolean[];
  /** True for a piece that does not have the beginning of its text. */
  readonly isGoneOn?: boolean;
  /** Index of the text to which the piece belongs. */
  readonly document?: number;
}

export interface ExampleReading {
  readonly tokens: TextTokens;
  readonly template: ChatTemplate | null;
  /** Longest example in tokens, at least 2. */
  readonly length: number;
}

/** Line between the documents of a plain text. */
const BETWEEN = /^<\|endoftext\|>\s*$/m;

export function examplesOfText(text: string, reading: ExampleReading): Example[] {
  const documents = text.split(BETWEEN).map((document) => document.trim());
  return documents
    .filter((document) => document !== '')
    .flatMap((document, i) => windows(textOf(document, reading), reading, i));
}

/** Examples of a file with one JSON object a line. Throws LabError 'invalid-experiment' naming the line of no known form. */
export function examplesOfLines(text: string, reading: ExampleReading): Example[] {
  // A mark of the byte order before the first line says nothing.
  return text
    .replace(/^\ufeff/, '')
    .split('\n')
    .flatMap((line, i) => {
      if (line.trim() === '') return [];
      const refuse = (what: string): never => {
        throw new LabError(
          'invalid-experiment',
          `Line ${i + 1} ${what}.`,
          'Write {"text"}, {"prompt", "completion"} or {"messages"}.',
        );
      };
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch {
        return refuse('is no JSON');
      }
      if (!isJson(value)) return refuse('is no object');
      const { text: whole, prompt, completion, messages, tools = null } = value;
      if (typeof whole === 'string') return windows(textOf(whole, reading), reading, i);
      if (typeof prompt === 'string' && typeof completion === 'string') {
        return windows(completionOf(prompt, completion, reading), reading, i);
      }
      const isPrompted = Array.isArray(prompt) && Array.isArray(completion);
      const conversation: unknown = isPrompted ? [...prompt, ...completion] : messages;
      if (!Array.isArray(conversation)) {
        return refuse('has no text, no prompt with a completion (two texts or two lists of messages) and no messages');
      }
      if (!conversation.every(isMessage))
        return refuse(
          'has a message without a role (system, user, assistant, tool) and a content, or tool_calls of the assistant',
        );
      if (tools !== null && !(Array.isArray(tools) && tools.every(isJson)))
        return refuse('has tools that are no list of objects');
      if (reading.template === null) return refuse('has messages, and the model has no chat template');
      const from = isPrompted ? prompt.length : 0;
      const told = tools === null || tools.length === 0 ? undefined : tools;
      return windows(conversationOf(conversation, from, told, reading.tokens, reading.template), reading, i);
    });
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'tool'];

function isMessage(value: unknown): value is Message {
  if (!isJson(value) || !ROLES.includes(value.role)) return false;
  const { role, content, tool_calls: calls } = value;
  if (calls === undefined || calls === null) return typeof content === 'string';
  const areCalls = Array.isArray(calls) && calls.length > 0 && calls.every(isCall);
  return role === 'assistant' && areCalls && (typeof content === 'string' || content === undefined || content === null);
}

function isCall(call: unknown): call is Json {
  if (!isJson(call)) return false;
  const { name, arguments: given } = isJson(call.function) ? call.function : call;
  return typeof name === 'string' && given !== undefined;
}

const all = (tokens: readonly number[], isLearned: boolean): Example => ({
  tokens,
  learned: tokens.map(() => isLearned),
});
const joined = (parts: readonly Example[]): Example => ({
  tokens: parts.flatMap(({ tokens }) => tokens),
  learned: parts.flatMap(({ learned }) => learned),
});

/** Example with the token that ends a text, as TRL ends it, unless it says that itself or the model has none. */
function ended(example: Example, reading: ExampleReading): Example {
  const { tokens, learned } = example;
  const [end] = reading.tokens.ends;
  if (end === undefined || (tokens.at(-1) === end && learned.at(-1))) return example;
  return joined([example, all([end], true)]);
}

const textOf = (text: string, reading: ExampleReading): Example =>
  ended(all(reading.tokens.first(text), true), reading);

/** A completion without a prompt begins as a text does. */
const completionOf = (prompt: string, completion: string, reading: ExampleReading): Example =>
  prompt === ''
    ? textOf(completion, reading)
    : ended(joined([all(reading.tokens.first(prompt), false), all(reading.tokens.next(completion), true)]), reading);

/** Learned is each reply of the assistant from message `from` on, with what the template writes behind it. */
function conversationOf(
  messages: readonly Message[],
  from: number,
  tools: readonly Json[] | undefined,
  tokens: TextTokens,
  template: ChatTemplate,
): Example {
  checkTools(template, messages, tools);
  const parts: Example[] = [];
  let before = '';
  const add = (text: string, isLearned: boolean): void => {
    if (!text.startsWith(before))
      throw damaged('The chat template writes earlier messages otherwise once others follow.');
    const segment = text.slice(before.length);
    parts.push(all(before === '' ? tokens.marked(segment) : tokens.next(segment), isLearned));
    before = text;
  };
  messages.forEach(({ role }, i) => {
    if (role !== 'assistant' || i < from) return;
    add(template(messages.slice(0, i), { speaks: true, tools }), false);
    add(template(messages.slice(0, i + 1), { speaks: false, tools }), true);
  });
  return joined(parts);
}

/** Consecutive pieces; each begins with the last token of the one before, which it only reads. Without what teaches nothing. */
function windows({ tokens, learned }: Example, { length }: ExampleReading, document: number): Example[] {
  const found: Example[] = [];
  for (let from = 0; from < tokens.length - 1; from += length - 1) {
    const flags = learned.slice(from, from + length).map((flag, i) => flag && i > 0);
    if (flags.includes(true))
      found.push({ tokens: tokens.slice(from, from + length), learned: flags, isGoneOn: from > 0, document });
  }
  return found;
}

/**
 * Examples to learn from, and a share of all that only examines: whole documents, in the order of the examples, so that no document
 * is in both. One document is always learned.
 */
export function heldApart(examples: readonly Example[], share: number): { learned: Example[]; examined: Example[] } {
  const documents = new Set(examples.map(({ document }) => document));
  const held = new Set<number | undefined>();
  let left = Math.floor(share * examples.length);
  for (const document of documents) {
    if (left <= 0 || held.size === documents.size - 1) break;
    held.add(document);
    left -= examples.filter((one) => one.document === document).length;
  }
  const isHeld = ({ document }: Example): boolean => held.has(document);
  return { learned: examples.filter((one) => !isHeld(one)), examined: examples.filter(isHeld) };
}
