/**
 * Signature of a decoder that this lab did not write, derived from its inputs and outputs: token ids in, logits out, and
 * the further inputs that exporters of language models (optimum, transformers.js) add.
 */
import { LabError } from '../../foundation/errors';
import { clipped } from '../errors';
import { DATA_TYPE } from '../proto';
import type { DecoderSignature, PastInput } from '../signature';
import { type ModelOutline, type OutlinedValue, typeName } from './outline';

const FLOAT16 = 10;

/** Signature whose vocabulary is null if only a run can tell it. */
export type ForeignSignature = Omit<DecoderSignature, 'vocabulary'> & { readonly vocabulary: number | null };

/** Throws LabError 'unsupported' for a model that is no decoder of this kind. */
export function decoderOf({ inputs, outputs }: ModelOutline): ForeignSignature {
  const isInteger = ({ type }: OutlinedValue): boolean => type === DATA_TYPE.int64 || type === DATA_TYPE.int32;
  const named = (name: string): OutlinedValue | null => inputs.find((input) => input.name === name) ?? null;
  const mask = named('attention_mask');
  const positions = named('position_ids');
  const kept = named('num_logits_to_keep');
  const useCache = named('use_cache_branch');
  const past = inputs.filter(({ name }) => /^past/.test(name));
  const others = inputs.filter((input) => ![mask, positions, kept, useCache, ...past].includes(input));
  const tokens = named('input_ids') ?? others.find((input) => isInteger(input) && input.dims.length === 2);
  if (tokens === undefined || !isInteger(tokens)) {
    throw notDecoder(`None of its inputs takes token ids: it has ${listed(inputs)}.`);
  }
  const unknown = others.filter((input) => input !== tokens);
  if (unknown.length > 0) throw notDecoder(`It also wants ${listed(unknown)}, which a text alone does not give.`);
  const logits = logitsOf(outputs);
  const width = logits.dims.at(-1);
  return {
    vocabulary: typeof width === 'number' ? width : null,
    context: Number.POSITIVE_INFINITY,
    tokens: tokens.name,
    integers: tokens.type === DATA_TYPE.int64 ? 'int64' : 'int32',
    mask: mask?.name ?? null,
    positions: positions?.name ?? null,
    past: past.map(pastOf),
    useCache: useCache?.name ?? null,
    keptLogits: kept?.name ?? null,
    logits: logits.name,
  };
}

function logitsOf(outputs: readonly OutlinedValue[]): OutlinedValue {
  const found = outputs.find(({ name }) => name === 'logits') ?? outputs.find(({ dims }) => dims.length === 3);
  if (found === undefined) throw notDecoder(`None of its outputs are logits: it has ${listed(outputs)}.`);
  if (found.type === DATA_TYPE.float) return found;
  throw new LabError(
    'unsupported',
    `The model gives its logits as ${typeName(found.type)}, not as float32.`,
    'Choose the float32 variant of the model, or one whose weights alone are smaller.',
  );
}

/** Input of an empty cache. A dimension of any size is the number of sequences if it is the first, else 0 tokens. */
function pastOf({ name, type, dims }: OutlinedValue): PastInput {
  if (type !== DATA_TYPE.float && type !== FLOAT16) {
    throw notDecoder(`Its input ${clipped(name)} is ${typeName(type)}, which no key-value cache of this kind is.`);
  }
  return {
    name,
    type: type === FLOAT16 ? 'float16' : 'float32',
    dims: (sequences) => dims.map((dim, axis) => (typeof dim === 'number' ? dim : axis === 0 ? sequences : 0)),
    present: null,
  };
}

const listed = (values: readonly OutlinedValue[]): string => {
  const shown = values.slice(0, 6).map(({ name, type }) => `${clipped(name)} (${typeName(type)})`);
  return values.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ') || 'none';
};

const notDecoder = (why: string): LabError =>
  new LabError(
    'unsupported',
    `The model is no decoder that goes from token ids to logits. ${why}`,
    'Choose a decoder-only language model, for instance one that optimum exported with the task text-generation.',
  );
