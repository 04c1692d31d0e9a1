/** Tokenisers: of a `tokenizer.json` of Hugging Face, or of the words in a policy's own metadata. */

import { excerpt, LabError, reasonOf } from '../../foundation/errors';
import { isJson, type Json } from '../../foundation/json';
import type { ModelOutline } from '../../onnx/foreign/outline';

export interface Tokeniser {
  /** Tokens that every text begins with. */
  readonly beginning: readonly number[];
  encode(text: string): number[];
  /** Text of a token, for a person. */
  write(token: number): string;
}

const LARGEST_FILE = 64 * 2 ** 20;

/** Tokeniser of a model. files: those the person chose, by name. Throws LabError 'invalid-policy' and 'missing-policy'. */
export async function tokeniserFor(outline: ModelOutline, files: ReadonlyMap<string, Blob>): Promise<Tokeniser> {
  const file = files.get('tokenizer.json');
  if (file !== undefined) {
    const config = files.get('tokenizer_config.json');
    return ofHuggingFace(await jsonOf('tokenizer.json', file), config ? await jsonOf('its configuration', config) : {});
  }
  const words = outline.metadata.get('vocabulary');
  if (words !== undefined) return ofWords(words);
  throw new LabError(
    'missing-policy',
    'Nothing says which tokens a text has: there is no tokenizer.json, and the model’s metadata has no vocabulary.',
    'Choose the tokenizer.json that came with the model together with it.',
  );
}

async function jsonOf(name: string, file: Blob): Promise<Json> {
  if (file.size > LARGEST_FILE) throw broken(`${name} has ${file.size} bytes, more than ${LARGEST_FILE}.`);
  try {
    const value: unknown = JSON.parse(await file.text());
    if (isJson(value)) return value;
  } catch (cause) {
    throw broken(`${name} is no JSON.`, cause);
  }
  throw broken(`${name} holds no description.`);
}

async function ofHuggingFace(description: object, config: object): Promise<Tokeniser> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw broken(`The tokenizer could not be used: ${reasonOf(cause)}.`, cause);
    }
  };
  const tokenizer = attempt(() => new Tokenizer(description, config));
  const tokensOf = (text: string, options?: object): number[] => {
    const { ids } = attempt(() => tokenizer.encode(text, options));
    if (ids.every((id) => Number.isSafeInteger(id) && id >= 0)) return ids;
    throw broken('The tokenizer’s vocabulary gives something else than token numbers.');
  };
  const special = tokensOf('');
  return {
    // Only the first special token: some tokenisers also add one at the end, but a trajectory goes on.
    beginning: special.slice(0, 1),
    encode: (text) => tokensOf(text, { add_special_tokens: false }),
    write: (token) => attempt(() => String(tokenizer.decode([token]) || (tokenizer.id_to_token(token) ?? ''))),
  };
}

function ofWords(text: string): Tokeniser {
  const words = wordsOf(text);
  const tokens = new Map(words.map((word, token) => [word, token]));
  return {
    beginning: [],
    encode: (part) =>
      part.split(/\s+/).flatMap((word) => {
        if (word === '') return [];
        const token = tokens.get(word);
        if (token !== undefined) return [token];
        const what = `The model’s vocabulary of ${words.length} words has no “${excerpt(word)}”.`;
        throw new LabError('invalid-policy', what, `It has ${excerpt(words.slice(0, 12).join(' '))} and others.`);
      }),
    write: (token) => words[token] ?? '',
  };
}

function wordsOf(text: string): string[] {
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch (cause) {
    throw broken('The vocabulary in the model’s metadata is no JSON.', cause);
  }
  throw broken('The vocabulary in the model’s metadata is no list of words.');
}

function broken(what: string, cause?: unknown): LabError {
  return new LabError('invalid-policy', what, 'Choose the tokenizer.json that came with the model.', { cause });
}
