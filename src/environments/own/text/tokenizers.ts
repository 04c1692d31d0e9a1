/**
 * Tokenizers of language models in this thread, by the model's id: those that come with the lab are loaded when a world of texts is
 * first opened, because a world is made at once and a tokenizer is not.
 */
import { once } from '../../../foundation/apart';
import { excerpt, LabError } from '../../../foundation/errors';
import { type ChatParts, partsOf, templateOf } from '../../../llama/chatTemplate';
import { type TextTokens, tokensOf } from '../../../llama/text';
import type { SentTokenizer } from '../workshop/asked';

const FILES = import.meta.glob<string>('../../../../public/models/**/*.json', { query: '?raw', import: 'default' });

/** Model whose tokenizer reads a world of texts that names no other. */
export const USUAL_MODEL = 'stories260k';

interface Tokenizer {
  readonly tokens: TextTokens;
  /** Pieces that the model computes with; its tokenizer may know fewer. */
  readonly count: number;
  /** Texts around the world's words in a conversation; null without a chat template, the error of one that cannot be used. */
  readonly chat: ChatParts | LabError | null;
}

const known = new Map<string, Tokenizer>();

/** Loads the tokenizers of the lab's own models. */
export const openTokenizers = once(async (): Promise<void> => {
  const read = async (file: string) =>
    JSON.parse((await FILES[`../../../../public/models/${USUAL_MODEL}/${file}`]?.()) ?? '');
  const [tokenizer, config] = await Promise.all([read('tokenizer.json'), read('tokenizer_config.json')]);
  await openTokenizer({ model: USUAL_MODEL, tokenizer, tokenizerConfig: config });
});

/** Opens a model's tokenizer, given by `tokenizer.json` and `tokenizer_config.json`: texts can then be read in its pieces. */
export async function openTokenizer({
  model,
  name = model,
  count,
  tokenizer,
  tokenizerConfig,
}: Omit<SentTokenizer, 'count'> & { readonly count?: number; readonly name?: string }): Promise<void> {
  const tokens = await tokensOf(name, tokenizer, tokenizerConfig);
  const chat = await chatOf(name, tokenizerConfig);
  known.set(model, { tokens, count: count ?? tokens.pieces.length, chat });
}

/** A template that cannot be used closes no world but those that are chats. */
async function chatOf(...folder: Parameters<typeof templateOf>): Promise<Tokenizer['chat']> {
  try {
    const template = await templateOf(...folder);
    return template && partsOf(template);
  } catch (cause) {
    if (cause instanceof LabError) return cause;
    throw cause;
  }
}

/** Opens a model's tokenizer unless it is open. */
export async function readTokenizer(sent: SentTokenizer): Promise<void> {
  if (!known.has(sent.model)) await openTokenizer(sent);
}

export const isTokenizerOpen = (model: string): boolean => known.has(model);

/** Throws LabError for a model that is not open here. */
export function tokensFor(model: string): Tokenizer {
  const found = known.get(model);
  if (found !== undefined) return found;
  const what = `The tokenizer of the model ${excerpt(model, 20)} is not open.`;
  throw new LabError(
    'invalid-experiment',
    what,
    `Let the policies begin from ${USUAL_MODEL}, or open the model’s folder.`,
  );
}
