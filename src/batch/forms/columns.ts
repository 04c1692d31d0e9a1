/** Lists of a line laid on its tokens. */
import type { Json } from '../../foundation/json';
import { firstField, isNonFinite, listOf, numberOf } from '../json';
import type { NonFiniteToken } from '../trajectory';
import type { Context } from './common';

/** Places of the tokens that count among those that were written, padding included. */
export interface TokenLayout {
  readonly rawPrompt: number;
  readonly rawResponse: number;
  /** Tokens of padding on the left. */
  readonly skip: number;
  /** Tokens of the prompt and of the response without padding. */
  readonly prompt: number;
  readonly response: number;
}

/** Numbers of a list of token ids; null if it holds anything else. */
export function idsOf(value: unknown): Float64Array | null {
  const list = listOf(value);
  if (list === null) return null;
  const ids = Float64Array.from(list, numberOf);
  return ids.every((id) => Number.isInteger(id)) ? ids : null;
}

/** Layout of tokens that all count. */
export const plain = (prompt: number, response: number): TokenLayout => ({
  ...{ rawPrompt: prompt, rawResponse: response, skip: 0, prompt, response },
});

/**
 * Distance from a token's place to its value in a list of this length; null if no way of laying them out fits. Lists with the
 * padding that was written are tried before lists without.
 */
export function offsetOf(
  { rawPrompt, rawResponse, skip, prompt, response }: TokenLayout,
  length: number,
): number | null {
  if (length === rawPrompt + rawResponse) return skip;
  if (length === rawResponse) return -prompt;
  if (length === prompt + response) return 0;
  if (length === response) return -prompt;
  // Scores of the next token, one fewer than tokens: the first is the second token's.
  if (length === rawPrompt + rawResponse - 1) return skip - 1;
  return length === prompt + response - 1 ? -1 : null;
}

/** Values laid on tokens, NaN where there is none; null if the field is not there or does not fit. */
export function columnOf(
  record: Json,
  fields: readonly string[],
  layout: TokenLayout,
  context: Context,
  nonFinite: NonFiniteToken[] = [],
): Float64Array | null {
  const one = firstField(record, fields);
  if (one === null) return null;
  const length = layout.prompt + layout.response;
  const list = listOf(one.value);
  const column = new Float64Array(length).fill(Number.NaN);
  const offset = list === null ? null : offsetOf(layout, list.length);
  const isNumber = (value: unknown): boolean => isNonFinite(value) || !Number.isNaN(numberOf(value));
  if (list === null || (offset === null && list.length === 1)) {
    const value = list === null ? one.value : list[0];
    if (isNonFinite(value)) nonFinite.push({ field: one.name, token: null, value: String(value) });
    else if (!isNumber(value)) {
      context.problem(`${one.name} is no number and no list of numbers; it is left out`);
      return null;
    }
    context.found(one.name);
    return column.fill(numberOf(value), layout.prompt);
  }
  if (offset === null) {
    context.problem(
      `${one.name} has ${list.length} values, for ${layout.prompt} tokens of prompt and ${layout.response} of response; it is left out`,
    );
    return null;
  }
  // Log-probs are null where there are none; a mask is known of each token.
  const from = Math.max(0, -offset);
  const own = list.slice(from + offset, length + offset);
  const isMask = /mask|weights$/.test(one.name);
  if (own.some((value) => !isNumber(value) && (value !== null || isMask))) {
    context.problem(`${one.name} has values that are no numbers; it is left out`);
    return null;
  }
  if (own.length > 0 && !own.some(isNumber)) return null;
  context.found(one.name);
  for (const [at, value] of own.entries()) {
    if (isNonFinite(value)) nonFinite.push({ field: one.name, token: from + at, value: String(value) });
    column[from + at] = numberOf(value);
  }
  return column;
}
