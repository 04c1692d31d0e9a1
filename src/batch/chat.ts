/** Roles out of chat templates: of tokens by the markers among their texts, and of messages by their authors. */
import { field, isRecord } from './json';
import { BATCH_ROLE, type BatchRole, type Segment } from './trajectory';

interface Family {
  readonly open: string;
  /** Token that ends the header; null where a line break does. */
  readonly afterHeader: string | null;
  readonly close: readonly string[];
}

/** ChatML (Qwen and others), Llama 3, Gemma; GLM has a function of its own. */
const FAMILIES: readonly Family[] = [
  { open: '<|im_start|>', afterHeader: null, close: ['<|im_end|>'] },
  { open: '<|start_header_id|>', afterHeader: '<|end_header_id|>', close: ['<|eot_id|>', '<|eom_id|>'] },
  { open: '<start_of_turn>', afterHeader: null, close: ['<end_of_turn>'] },
];

/** A token's text as it reads: tokenizers write spaces and line breaks as letters of their own. */
export const readable = (text: string): string =>
  text.replaceAll('Ġ', ' ').replaceAll('▁', ' ').replaceAll('Ċ', '\n').replaceAll('<0x0A>', '\n');

/**
 * Numbers of roles, one a token; null if no marker of a known template is there. The assistant's turn ends with a token that it
 * sampled; headers, other ends and what stands between turns are the template's. Nothing before `promptLength` was sampled.
 */
export function rolesOfTexts(texts: readonly string[], promptLength: number): Uint8Array | null {
  if (texts.includes('[gMASK]') || texts.includes('<|observation|>')) return rolesOfGlm(texts, promptLength);
  const family = FAMILIES.find(({ open }) => texts.includes(open));
  if (family === undefined) return null;
  const roles = new Uint8Array(texts.length).fill(BATCH_ROLE.template);
  let hasActed = false;
  let at = 0;
  while (at < texts.length) {
    if (texts[at] !== family.open) {
      at++;
      continue;
    }
    const body = bodyOf(texts, at + 1, family);
    const author = readable(texts.slice(at + 1, body).join(''))
      .replace(family.afterHeader ?? '', '')
      .trim();
    const isSampled: boolean = isAssistant(author) && (hasActed || closeOf(texts, body, family) >= promptLength);
    hasActed ||= isSampled;
    const end = closeOf(texts, body, family);
    const isOpen = texts[end] === family.open;
    roles.fill(BATCH_ROLE[roleOf(author, isSampled, hasActed)], body, isSampled && !isOpen ? end + 1 : end);
    at = isOpen ? end : end + 1;
  }
  for (let i = 0; i < Math.min(promptLength, roles.length); i++) {
    if (roles[i] !== BATCH_ROLE.template) roles[i] = BATCH_ROLE.prompt;
  }
  return roles;
}

/** GLM has no ends of turns: the assistant's ends with the header of the next author, which it sampled. */
function rolesOfGlm(texts: readonly string[], promptLength: number): Uint8Array {
  const roles = new Uint8Array(texts.length).fill(BATCH_ROLE.template);
  let [author, hasActed] = ['', false];
  for (const [at, text] of texts.entries()) {
    const next = isGlmHeader(text) ? text.slice(2, -2) : undefined;
    const isActing = author === 'assistant' && at >= promptLength;
    hasActed ||= isActing;
    if (isActing && next !== undefined) roles[at] = BATCH_ROLE.action;
    const isHeader = next !== undefined || author === '' || (readable(text) === '\n' && isGlmHeader(texts[at - 1]));
    if (!isHeader) roles[at] = BATCH_ROLE[at < promptLength ? 'prompt' : roleOf(author, isActing, hasActed)];
    author = next ?? author;
  }
  return roles;
}

const isGlmHeader = (text = ''): boolean => /^<\|(?:system|user|assistant|observation)\|>$/.test(text);

/** Where the header that began before `from` is over. */
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

/** Where the turn whose body begins at `from` is over: at its end, or at the next header. */
function closeOf(texts: readonly string[], from: number, { open, close }: Family): number {
  for (let at = from; at < texts.length; at++) if (texts[at] === open || close.includes(texts[at] ?? '')) return at;
  return texts.length;
}

const isAssistant = (author: string): boolean => author === 'assistant' || author === 'model';

function roleOf(author: string, isSampled: boolean, hasActed: boolean): BatchRole {
  if (isSampled) return 'action';
  return hasActed && !isAssistant(author) ? 'observation' : 'prompt';
}

/** Messages as segments; null if this is no list of messages. Before the first answer all is prompt, after it what came back. */
export function segmentsOfMessages(value: unknown, hasActed = false): Segment[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const segments: Segment[] = [];
  for (const message of value) {
    if (!isRecord(message) || typeof field(message, 'role') !== 'string') return null;
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
    .map((part) => (isRecord(part) ? field(part, 'text') : part))
    .filter((part) => typeof part === 'string');
  const calls = field(message, 'tool_calls');
  for (const call of Array.isArray(calls) ? calls : []) {
    const called = isRecord(call) ? (field(call, 'function') ?? call) : call;
    if (!isRecord(called)) continue;
    for (const part of [field(called, 'name'), field(called, 'arguments')])
      if (typeof part === 'string') said.push(part);
  }
  return said.join('\n');
}
