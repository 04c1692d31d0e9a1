/** A model's chat template: the text that it was taught to read a conversation as. */
import { LabError, reasonOf } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';
import { damaged, type ModelFolder, readJsonIfThere } from './folder';
import type { TextTokens } from './text';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Text; null or absent in a message that only calls tools. */
  readonly content?: string | null;
  /** Calls of an assistant, as transformers has them: {name, arguments}, or the same as `function` of an object. */
  readonly tool_calls?: readonly Json[] | null;
}

export interface Rendering {
  readonly speaks: boolean;
  /** Descriptions of tools, as JSON schemas. */
  readonly tools?: readonly Json[] | undefined;
}

/** Text of messages, up to where the model begins to speak; without `speaks` up to the end of the last one. */
export type ChatTemplate = (messages: readonly Message[], options?: Rendering) => string;

/** Template out of a model's folder; null where it has none. */
export async function readTemplate(folder: ModelFolder): Promise<ChatTemplate | null> {
  const config = (await readJsonIfThere(folder, 'tokenizer_config.json')) ?? {};
  const file = await folder.open('chat_template.jinja');
  const own = file === null ? null : new TextDecoder().decode(await file.read(0, file.bytes));
  return templateOf(folder.name, own === null ? config : { ...config, chat_template: own });
}

/** Chat template of a folder's tokenizer_config.json, read by readTemplate. */
export async function templateOf(name: string, config: Json): Promise<ChatTemplate | null> {
  const text = templateIn(config.chat_template, 'default');
  if (text === null) return null;
  const { Template } = await import('@huggingface/jinja');
  const names = ['bos_token', 'eos_token', 'pad_token', 'unk_token'];
  const special = Object.fromEntries(names.map((name) => [name, specialIn(config[name])]));
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw damaged(`The chat template of ${name} cannot be used: ${reasonOf(cause)}.`, cause);
    }
  };
  // The renderer's own strftime_now cannot be replaced, so that the template calls another.
  const made = (of: string) => attempt(() => new Template(of.replaceAll('strftime_now', 'dated')));
  const [usual, withTools] = [made(text), made(templateIn(config.chat_template, 'tool_use') ?? text)];
  return (messages, { speaks, tools = null } = { speaks: true }) =>
    attempt(() =>
      (tools === null ? usual : withTools).render({
        ...special,
        dated,
        messages,
        tools,
        add_generation_prompt: speaks,
      }),
    );
}

/**
 * Parts of the only date that templates are told, 26 July 2024 at midnight: with a clock the same link would give other tokens
 * tomorrow.
 */
const DATE: Readonly<Record<string, string>> = {
  ...{ Y: '2024', y: '24', m: '07', B: 'July', b: 'Jul', d: '26', A: 'Friday', a: 'Fri', j: '208' },
  ...{ H: '00', I: '12', p: 'AM', M: '00', S: '00', '%': '%' },
};

/** That date in a form of Python's strftime. */
const dated = (form: string): string => form.replaceAll(/%-?([a-zA-Z%])/g, (all, part) => DATE[part] ?? all);

type Around = readonly [before: string, after: string];

/** Texts of a template around what the model is told, up to where it speaks. */
export interface ChatParts {
  /** Texts around a user's first message. */
  readonly first: Around;
  /** Texts around a user's message behind the model's words. */
  readonly next: Around;
  /** Texts around a tool's message behind the model's words; null where the template has none. */
  readonly tool: Around | null;
}

const [HEARD, SAID] = ['\u{f8fe}', '\u{f8ff}'];

/** Parts of a template. Throws LabError where it leaves out the user's words. */
export function partsOf(template: ChatTemplate): ChatParts {
  const user: Message = { role: 'user', content: HEARD };
  const around = (text: string): Around => {
    const at = text.lastIndexOf(HEARD);
    if (at < 0) throw damaged('The chat template leaves out what a user says.');
    return [text.slice(0, at), text.slice(at + HEARD.length)];
  };
  const behind = (role: Message['role']): Around => {
    const told: Message = { role, content: HEARD };
    const [before, after] = around(template([user, { role: 'assistant', content: SAID }, told]));
    const at = before.lastIndexOf(SAID);
    if (at < 0) throw damaged('The chat template leaves out what the model says.');
    return [before.slice(at + SAID.length), after];
  };
  const toolsOf = (): Around | null => {
    try {
      return behind('tool');
    } catch (cause) {
      if (cause instanceof LabError) return null;
      throw cause;
    }
  };
  return { first: around(template([user])), next: behind('user'), tool: toolsOf() };
}

/** Text that a template writes behind the model's words; empty where it leaves those out. */
export function behindReply(template: ChatTemplate): string {
  const said = [{ role: 'user', content: HEARD } as const, { role: 'assistant', content: SAID } as const];
  const text = template(said, { speaks: false });
  return text.includes(SAID) ? text.slice(text.lastIndexOf(SAID) + SAID.length) : '';
}

/** Special token that ends a reply: the first of the text behind the model's words. Undefined where that is none. */
export function endOfReply(behind: string, tokens: TextTokens): number | undefined {
  const [end] = tokens.next(behind);
  return end !== undefined && tokens.specials.has(end) ? end : undefined;
}

/**
 * Throws LabError where a template leaves out tools, calls or their results, which would be learned as nothing: a name that is called
 * and a result are each put as a mark, and looked for.
 */
export function checkTools(template: ChatTemplate, messages: readonly Message[], tools?: readonly Json[]): void {
  const named = (call: Json): Json =>
    isJson(call.function) ? { ...call, function: { ...call.function, name: SAID } } : { ...call, name: SAID };
  const calls = messages.flatMap(({ tool_calls: own }) => own ?? []);
  const results = messages.filter(({ role }) => role === 'tool');
  if (calls.length === 0 && results.length === 0 && tools === undefined) return;
  const marked = messages.map((one) => ({
    ...one,
    ...(one.role === 'tool' && { content: HEARD }),
    ...(one.tool_calls && { tool_calls: one.tool_calls.map(named) }),
  }));
  const text = template(marked, { speaks: false, tools });
  const count = (mark: string): number => text.split(mark).length - 1;
  if (count(SAID) < calls.length) throw damaged('The chat template leaves out calls of tools.');
  if (count(HEARD) < results.length) throw damaged('The chat template leaves out what a tool answers.');
  if (tools !== undefined && text === template(marked, { speaks: false }))
    throw damaged('The chat template leaves out descriptions of tools.');
}

/** One text, or the one of a name among several. */
function templateIn(value: unknown, wanted: 'default' | 'tool_use'): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  const named = value.filter(isJson).find(({ name }) => name === wanted);
  return typeof named?.template === 'string' ? named.template : null;
}

/** Files say a special token as a text, or as an object with it. */
function specialIn(value: unknown): string | null {
  const text = isJson(value) ? value.content : value;
  return typeof text === 'string' ? text : null;
}
