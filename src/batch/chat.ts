/** Roles out of chat templates: of tokens by the markers among their texts, and of messages by their authors. */
import { isJson } from '../foundation/json';
import { field } from './json';
import { BATCH_ROLE, type BatchRole, type RoleSegment } from './trajectory';

interface Family {
  readonly open: string;
  /** Token that ends the header; null where a line break does. */
  readonly afterHeader: string | null;
  readonly close: readonly string[];
}

/** Beginning of a header of gpt-oss: an assistant samples all of it but its name, and all of it right behind its own words. */
const HARMONY = '<|start|>';

/** Phi-4, ChatML (Qwen and others), Llama 3, Gemma, gpt-oss. */
const FAMILIES: readonly Family[] = [
  { open: '<|im_start|>', afterHeader: '<|im_sep|>', close: ['<|im_end|>'] },
  { open: '<|im_start|>', afterHeader: null, close: ['<|im_end|>'] },
  { open: '<|start_header_id|>', afterHeader: '<|end_header_id|>', close: ['<|eot_id|>', '<|eom_id|>'] },
  { open: '<start_of_turn>', afterHeader: null, close: ['<end_of_turn>'] },
  { open: HARMONY, afterHeader: '<|message|>', close: ['<|end|>', '<|call|>', '<|return|>'] },
];

/** Templates in which one token is the whole header of an author. */
interface Marked {
  /** Tokens by which the template is known: the first entry of the list that has one in a text is its template. */
  readonly known: readonly string[];
  readonly authors: Readonly<Record<string, string>>;
  /** Token that ends an answer; null where that is the next header. */
  readonly close: string | null;
}

const DEEPSEEK = { '<｜User｜>': 'user', '<｜Assistant｜>': 'assistant' };
const MARKED: readonly Marked[] = [
  // GLM has no ends of turns: an assistant samples the header of the next author.
  {
    known: ['[gMASK]', '<|observation|>'],
    authors: { '<|system|>': 'system', '<|user|>': 'user', '<|assistant|>': 'assistant', '<|observation|>': 'tool' },
    close: null,
  },
  // DeepSeek R1 and V3, then V3.1: behind what tools said an answer has no header.
  {
    known: ['<｜tool▁outputs▁begin｜>'],
    authors: { ...DEEPSEEK, '<｜tool▁outputs▁begin｜>': 'tool', '<｜tool▁outputs▁end｜>': 'assistant' },
    close: '<｜end▁of▁sentence｜>',
  },
  {
    known: ['<｜User｜>', '<｜Assistant｜>'],
    authors: { ...DEEPSEEK, '<｜tool▁output▁begin｜>': 'tool', '<｜tool▁output▁end｜>': 'assistant' },
    close: '<｜end▁of▁sentence｜>',
  },
  // Mistral from v3 on, where these are tokens.
  {
    known: ['[/INST]'],
    authors: {
      ...{ '[SYSTEM_PROMPT]': 'system', '[/SYSTEM_PROMPT]': 'user', '[AVAILABLE_TOOLS]': 'system' },
      ...{ '[/AVAILABLE_TOOLS]': 'user', '[INST]': 'user', '[/INST]': 'assistant' },
      ...{ '[TOOL_RESULTS]': 'tool', '[/TOOL_RESULTS]': 'assistant' },
    },
    close: '</s>',
  },
];

const MARKERS = new Set([
  ...FAMILIES.map(({ open }) => open),
  ...MARKED.flatMap(({ authors }) => Object.keys(authors)),
]);

/** True for a token that begins a header. */
export const isMarker = (text: string): boolean => MARKERS.has(text);

/** A token's text as it reads: tokenizers write spaces, line breaks and the bytes of other letters as letters of their own. */
export function readable(text: string): string {
  const plain = text.replaceAll('Ġ', ' ').replaceAll('▁', ' ').replaceAll('Ċ', '\n').replaceAll('<0x0A>', '\n');
  return /[\u0080-\u0143]/.test(plain) ? ofBytes(plain) : plain;
}

/** Bytes that are letters of their own in a byte-level vocabulary; the others follow each other from U+0100 on. */
const isOwn = (byte: number): boolean => (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
const BYTES: ReadonlyMap<string, number> = new Map(
  [...Array(256).keys()]
    .filter((byte) => !isOwn(byte))
    .map((byte, at): [string, number] => [String.fromCharCode(0x100 + at), byte]),
);

/** Text of a byte-level token; unchanged where its letters are no bytes, or are only a part of a letter. */
function ofBytes(text: string): string {
  const bytes = Array.from(text, (letter) => BYTES.get(letter) ?? letter.charCodeAt(0));
  if (bytes.some((byte) => byte > 0xff)) return text;
  try {
    return UTF8.decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Message of one author among the tokens of a chat template. */
export interface ChatTurn {
  readonly author: string;
  /** First token behind the turn's header. */
  readonly body: number;
  /** Token that ends the turn, or the first that no longer belongs to it. */
  readonly end: number;
  /** True if there is a token that ends it. */
  readonly isEnded: boolean;
}

/** Turns by the markers of a known template; null if there are none. */
export function turnsOfTexts(texts: readonly string[]): ChatTurn[] | null {
  const marked = MARKED.find(({ known }) => known.some((token) => texts.includes(token)));
  if (marked !== undefined) return turnsOfMarked(texts, marked);
  const family = FAMILIES.find(
    ({ open, afterHeader }) => texts.includes(open) && (afterHeader === null || texts.includes(afterHeader)),
  );
  if (family === undefined) return null;
  const turns: ChatTurn[] = [];
  let at = texts.indexOf(family.open);
  while (at !== -1) {
    const isOwn: boolean = family.open === HARMONY && texts[at + 1] === 'assistant';
    const body: number = isOwn ? at + 2 : bodyOf(texts, at + 1, family);
    const header = readable(texts.slice(at + 1, body).join(''));
    const end = closeOf(texts, body, family);
    const isEnded = end < texts.length && texts[end] !== family.open;
    const last = turns.at(-1);
    if (isOwn && last?.author === 'assistant' && last.end + 1 === at) turns.splice(-1, 1, { ...last, end, isEnded });
    else turns.push({ author: header.replace(family.afterHeader ?? '', '').trim(), body, end, isEnded });
    at = texts.indexOf(family.open, end);
  }
  return turns;
}

function turnsOfMarked(texts: readonly string[], { authors, close }: Marked): ChatTurn[] {
  const isHeader = (text: string): boolean => Object.hasOwn(authors, text);
  const marks = [...texts.keys()].filter((at) => isHeader(texts[at] ?? '') || texts[at] === close);
  return marks.flatMap((at, mark) => {
    const author = authors[texts[at] ?? ''];
    if (author === undefined) return [];
    const end = marks[mark + 1] ?? texts.length;
    const body = Math.min(end, readable(texts[at + 1] ?? '') === '\n' ? at + 2 : at + 1);
    const isEnded = end < texts.length && (close === null || texts[end] === close);
    // Two headers in a row are one: nobody says nothing.
    return body === end && !isEnded ? [] : [{ author, body, end, isEnded }];
  });
}

/**
 * Numbers of roles, one a token; null if no marker of a known template is there. The assistant's turn ends with a token that it
 * sampled; headers, other ends and what stands between turns are the template's. Nothing before `promptLength` was sampled.
 */
export function rolesOfTexts(texts: readonly string[], promptLength: number): Uint8Array | null {
  const turns = turnsOfTexts(texts);
  if (turns === null) return null;
  const roles = new Uint8Array(texts.length).fill(BATCH_ROLE.template);
  let hasActed = false;
  for (const { author, body, end, isEnded } of turns) {
    const isSampled: boolean = isAssistant(author) && (hasActed || end >= promptLength);
    hasActed ||= isSampled;
    roles.fill(BATCH_ROLE[roleOf(author, isSampled, hasActed)], body, isSampled && isEnded ? end + 1 : end);
  }
  for (let i = 0; i < Math.min(promptLength, roles.length); i++) {
    if (roles[i] !== BATCH_ROLE.template) roles[i] = BATCH_ROLE.prompt;
  }
  return roles;
}

/** Index behind the header that began before `from`. */
function bodyOf(texts: readonly string[], from: number, { afterHeader }: Family): number {
  for (let at = from; at < texts.length; at++) {
    const text = readable(texts[at] ?? '');
    if (afterHeader === null ? text.includes('\n') : texts[at] === afterHeader) {
      const isBreakNext = afterHeader !== null && /^\n+$/.test(readable(texts[at + 1] ?? ''));
      return at + (isBreakNext ? 2 : 1);
    }
  }
  return texts.length;
}

/** Index of the end of the turn whose body begins at `from`: its end sign, or the next header. */
function closeOf(texts: readonly string[], from: number, { open, close }: Family): number {
  for (let at = from; at < texts.length; at++) if (texts[at] === open || close.includes(texts[at] ?? '')) return at;
  return texts.length;
}

const isAssistant = (author: string): boolean => author === 'assistant' || author === 'model';

function roleOf(author: string, isSampled: boolean, hasActed: boolean): BatchRole {
  if (isSampled) return 'action';
  return hasActed && !isAssistant(author) ? 'observation' : 'prompt';
}

/** Messages as segments; null if this is no list of messages. Before the first answer all is prompt, after it observation. */
export function segmentsOfMessages(value: unknown, hasActed = false): RoleSegment[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const segments: RoleSegment[] = [];
  for (const message of value) {
    if (!isJson(message) || typeof field(message, 'role') !== 'string') return null;
    const author = field(message, 'role') as string;
    if (isAssistant(author)) hasActed = true;
    const name = field(message, 'name');
    const role = author === 'tool' && name === 'warning' ? 'warning' : roleOf(author, isAssistant(author), hasActed);
    segments.push({ role, text: textOf(message) });
  }
  return segments;
}

/** Contents of a message: its text, its text parts, and the tools that it calls. */
function textOf(message: Readonly<Record<string, unknown>>): string {
  const content = field(message, 'content');
  const parts = Array.isArray(content) ? content : [content];
  const said = parts
    .map((part) => (isJson(part) ? field(part, 'text') : part))
    .filter((part) => typeof part === 'string');
  const calls = field(message, 'tool_calls');
  for (const call of Array.isArray(calls) ? calls : []) {
    const called = isJson(call) ? (field(call, 'function') ?? call) : call;
    if (!isJson(called)) continue;
    for (const part of [field(called, 'name'), field(called, 'arguments')])
      if (typeof part === 'string') said.push(part);
  }
  return said.join('\n');
}
