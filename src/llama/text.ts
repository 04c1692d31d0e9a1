/**
 * Tokens of texts that are appended one after the other and never tokenised again: the first segment begins as the model's
 * tokenizer begins a text (with `<s>` and a space mark where it puts them), later ones get nothing before them.
 */
import { reasonOf } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';
import { damaged, type ModelFolder, readJson, readJsonIfThere } from './folder';

export interface TextTokens {
  /** Name of each piece, by token; empty where no piece has that number. A space is written ▁. */
  readonly pieces: readonly string[];
  /** Tokens that say nothing in a text, such as `<s>`. */
  readonly specials: ReadonlySet<number>;
  /** Tokens with which the model ends a text, by all of its files; the one of tokenizer_config.json first. */
  readonly ends: readonly number[];
  /** Tokens of a text's first segment. */
  first(text: string): number[];
  /** Tokens of a first segment that says its special tokens itself, as those of chat templates do: no mark is put behind them. */
  marked(text: string): number[];
  /** Tokens of a segment that follows others. */
  next(text: string): number[];
  /** Text of tokens, special ones too. A letter whose bytes are not all there is U+FFFD. */
  textOf(tokens: readonly number[]): string;
  /** Text of a first segment's tokens; special ones say nothing. */
  begun(tokens: readonly number[]): string;
  /** Text of tokens that follow others: nothing is taken from its beginning, and special tokens say nothing. */
  textAfter(tokens: readonly number[]): string;
}

/** `count`: pieces that the model computes with. Throws LabError where its tokenizer has more. */
export async function readTokens(folder: ModelFolder, count?: number): Promise<TextTokens> {
  const description = await readJson(folder, 'tokenizer.json');
  const config = (await readJsonIfThere(folder, 'tokenizer_config.json')) ?? {};
  const files = await Promise.all(
    ['config.json', 'generation_config.json'].map((file) => readJsonIfThere(folder, file)),
  );
  const ends = files.flatMap((file) => (file === null ? [] : endsIn(file)));
  return tokensOf(folder.name, description, { ...config, eos_token_id: ends }, count);
}

/** Tokens of the two files' contents, by readTokens: the second also has the eos_token_id of config.json. */
export async function tokensOf(
  name: string,
  description: Json,
  config: Json,
  count = Number.POSITIVE_INFINITY,
): Promise<TextTokens> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const made = (of: Json): InstanceType<typeof Tokenizer> => {
    try {
      return new Tokenizer(of, config);
    } catch (cause) {
      throw damaged(`tokenizer.json of ${name} cannot be used: ${reasonOf(cause)}`, cause);
    }
  };
  const [whole, inner] = [made(description), made(withoutPrepended(description))];
  const before = prefixOf(description.post_processor);
  const pieces: string[] = [];
  // The list has holes where no piece has a number.
  const named: Iterable<readonly [string | undefined, number]> = inner.get_vocab(true);
  for (const [piece, token] of named) if (piece !== undefined) pieces[token] = namedPlainly(piece);
  if (pieces.length === 0) throw damaged(`The tokenizer of ${name} has no pieces.`);
  if (pieces.length > count)
    throw damaged(`The tokenizer of ${name} has ${pieces.length} pieces, config.json ${count}.`);
  const beyond = before.find((token) => token >= count);
  if (beyond !== undefined) throw damaged(`The tokenizer of ${name} begins a text with ${beyond}, which is no piece.`);
  const specials = new Set<number>();
  const names: string[] = [];
  for (const [token, { special, content }] of inner.get_added_tokens_decoder()) {
    if (!special) continue;
    specials.add(token);
    names.push(content);
  }
  const ids = (by: InstanceType<typeof Tokenizer>, text: string): number[] =>
    text === '' ? [] : by.encode(text, { add_special_tokens: false }).ids;
  const ends = new Set([inner.token_to_id(endOf(config)), ...endsIn(config)]);
  const textBy = (by: InstanceType<typeof Tokenizer>, tokens: readonly number[]): string =>
    tokens.length === 0 ? '' : by.decode([...tokens], { clean_up_tokenization_spaces: false });
  const saying = (tokens: readonly number[]): number[] => tokens.filter((token) => !specials.has(token));
  return {
    pieces: Array.from(pieces, (piece = '') => piece),
    specials,
    ends: [...ends].filter((end): end is number => end !== undefined && end in pieces),
    first: (text) => [...before, ...ids(whole, text)],
    marked(text) {
      const special = names.map((name) => text.indexOf(name)).filter((at) => at >= 0);
      const at = Math.min(text.length, ...special);
      return [...ids(whole, text.slice(0, at)), ...ids(inner, text.slice(at))];
    },
    next: (text) => ids(inner, text),
    textOf: (tokens) => textBy(whole, tokens),
    begun: (tokens) => textBy(whole, saying(tokens)),
    textAfter: (tokens) => textBy(inner, saying(tokens)),
  };
}

/** A piece of a tokenizer by bytes with its spaces and line breaks as marks that people can read. */
const namedPlainly = (piece: string): string => piece.replaceAll('Ġ', '▁').replaceAll('Ċ', '⏎');

/** Tokens that a file says to end a text. */
export const endsIn = ({ eos_token_id: ends }: Json): number[] =>
  [ends].flat().filter((token): token is number => typeof token === 'number');

/** Special token that ends a text, by name; empty where tokenizer_config.json names none. */
function endOf({ eos_token: end }: Json): string {
  return typeof end === 'string' ? end : isJson(end) && typeof end.content === 'string' ? end.content : '';
}

/** Special tokens that a tokenizer puts before a text; what it puts behind a text would end it. */
function prefixOf(processor: unknown): number[] {
  if (!isJson(processor)) return [];
  if (Array.isArray(processor.processors)) return processor.processors.flatMap(prefixOf);
  const { type, single, special_tokens: specials } = processor;
  if (type !== 'TemplateProcessing' || !Array.isArray(single) || !isJson(specials)) return [];
  const text = single.findIndex((part) => isJson(part) && 'Sequence' in part);
  return single.slice(0, Math.max(0, text)).flatMap((part) => {
    const name = isJson(part) && isJson(part.SpecialToken) ? String(part.SpecialToken.id) : '';
    const ids = isJson(specials[name]) ? specials[name].ids : [];
    return Array.isArray(ids) ? ids.filter((id) => Number.isInteger(id)) : [];
  });
}

/** A tokenizer that puts no mark before a text, and takes none from it. */
function withoutPrepended(description: Json): Json {
  const { normalizer, pre_tokenizer: before, decoder } = description;
  return {
    ...description,
    normalizer: withoutMark(normalizer),
    pre_tokenizer: withoutMark(before),
    decoder: withoutStrip(decoder),
  };
}

function withoutMark(part: unknown): unknown {
  if (!isJson(part)) return part;
  const { type, normalizers, pretokenizers } = part;
  if (type === 'Prepend') return null;
  if (type === 'Metaspace') return { ...part, prepend_scheme: 'never', add_prefix_space: false };
  if (type === 'ByteLevel') return { ...part, add_prefix_space: false };
  const kept = (parts: unknown): unknown =>
    Array.isArray(parts) ? parts.map(withoutMark).filter((one) => one !== null) : undefined;
  return {
    ...part,
    ...(normalizers === undefined ? {} : { normalizers: kept(normalizers) }),
    ...(pretokenizers === undefined ? {} : { pretokenizers: kept(pretokenizers) }),
  };
}

/** A decoder that keeps the space before a text's first word. */
function withoutStrip(part: unknown): unknown {
  if (!isJson(part)) return part;
  const { type, decoders, replacement = '▁' } = part;
  if (type === 'Metaspace') return { type: 'Replace', pattern: { String: replacement }, content: ' ' };
  if (!Array.isArray(decoders)) return part;
  return { ...part, decoders: decoders.filter((one) => !(isJson(one) && one.type === 'Strip')).map(withoutStrip) };
}
