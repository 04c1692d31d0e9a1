/** A trajectory by token, out of a line of any form that has token ids. */

import { excerpt, reasonOf } from '../../foundation/errors';
import type { Json } from '../../foundation/json';
import { isMarker, readable, rolesOfTexts } from '../chat';
import { firstField, Key, listOf } from '../json';
import { COMPUTED_TEXTS } from '../ownTexts';
import type { BatchTrajectory, RolesFrom } from '../trajectory';
import {
  BATCH_ROLE,
  type BatchRole,
  CERTAIN,
  type ColumnName,
  isSampled,
  type NonFiniteToken,
  STOPS,
  type TemplateDifference,
} from '../trajectory';
import { columnOf, idsOf, offsetOf, type TokenLayout } from './columns';
import { batchOf, type Context, groupOf, identityOf, rewardOf, truncatedOf } from './common';

export interface TokenSource {
  /** Ids of the tokens that count. */
  readonly ids: Float64Array;
  readonly layout: TokenLayout;
  /** Weights in the loss, where the form has a field of its own for them. */
  readonly weight?: Float64Array | null;
  readonly texts?: readonly string[] | null;
  readonly roles?: { readonly numbers: Uint8Array; readonly from: RolesFrom } | null;
  readonly truncated?: boolean | null;
  readonly retokenised?: readonly number[] | null;
}

const FIELDS: Readonly<Record<Exclude<ColumnName, 'penalty'>, readonly string[]>> = {
  weight: ['policy_weights', 'loss_mask', 'loss_masks', 'loss_weights'],
  predictWeight: ['world_model_weights'],
  klWeight: ['kl_mask', 'kl_weights'],
  logp: ['log_probs', 'per_token_logps'],
  old: ['old_log_probs', 'old_per_token_logps'],
  rollout: ['rollout_log_probs', 'sampling_per_token_logps', 'rollout_logprobs', 'completion_logprobs'],
  reference: ['ref_log_probs', 'ref_log_prob', 'ref_per_token_logps'],
  advantage: ['advantages', 'advantage'],
  correction: ['rollout_is_weights', 'importance_sampling_ratio'],
  values: ['values'],
};

export function tokenTrajectory(record: Json, source: TokenSource, context: Context): BatchTrajectory {
  const { ids, layout } = source;
  const nonFinite: NonFiniteToken[] = [];
  const columns: Partial<Record<ColumnName, Float64Array>> = {};
  for (const [name, fields] of Object.entries(FIELDS) as [keyof typeof FIELDS, readonly string[]][]) {
    const column = columnOf(record, fields, layout, context, nonFinite);
    if (column !== null) columns[name] = column;
  }
  const weight = firstField(record, FIELDS.weight) === null ? source.weight : columns.weight;
  if (weight != null && isWeightOf(weight, context)) columns.weight = weight;
  else delete columns.weight;
  const scores = columnOf(record, ['token_level_scores'], layout, context);
  const rewards = scores && columnOf(record, ['token_level_rewards'], layout, context);
  if (rewards != null) columns.penalty = rewards.map((reward, token) => reward - (scores?.[token] ?? Number.NaN));
  const texts = source.texts ?? textsOf(record, layout, context) ?? ownTextsOf(ids, context);
  const { numbers: roles, from } =
    saidRoles(record, layout, context) ?? source.roles ?? toldRoles(texts, columns, layout);
  const promptLength = layout.prompt > 0 ? layout.prompt : countPrompt(roles);
  const scalar = firstField(record, FIELDS.advantage);
  return {
    ...{ file: context.file, line: context.line, number: context.number, form: context.form },
    ...{ length: ids.length, ids, texts, segments: null, roles, rolesFrom: from, columns, nonFinite },
    isAdvantageScalar: scalar !== null && listOf(scalar.value) === null,
    reward: rewardOf(record, context, nonFinite),
    group: groupOf(record, keyOf(ids.subarray(0, promptLength)), context),
    identity: identityOf(record),
    content: `${batchOf(record)} ${keyOf(ids)}`,
    responseSize: ids.length - promptLength,
    truncated: truncatedOf(record, context) ?? source.truncated ?? cutOff(texts, roles, from),
    retokenised: source.retokenised ?? notSampled(record, ids, layout, context),
    rendered: texts === null ? null : renderedOf(texts, context),
  };
}

/** False, and told, where tokens of the response have no weight at all. */
function isWeightOf(weight: Float64Array, { problem }: Context): boolean {
  const negative = weight.filter((value) => value < 0).length;
  if (negative > 0) problem(`has ${negative} weights below 0, which push tokens the other way`);
  const isKnown = weight.length === 0 || weight.some((value) => !Number.isNaN(value));
  if (!isKnown) problem('has no number among its loss weights; they are left out');
  return isKnown;
}

function ownTextsOf(ids: Float64Array, { own, found }: Context): readonly string[] | null {
  if (own?.textOf == null) return null;
  found(COMPUTED_TEXTS);
  return Array.from(ids, own.textOf);
}

/** Places at which the reader's chat template writes other tokens. */
function renderedOf(texts: readonly string[], { own, again }: Context): readonly TemplateDifference[] | null {
  if (own?.differences == null) return null;
  try {
    return own.differences(texts);
  } catch (cause) {
    again(reasonOf(cause));
    return null;
  }
}

/** Texts of single tokens. */
function textsOf(record: Json, layout: TokenLayout, context: Context): readonly string[] | null {
  const one = firstField(record, ['tokens', 'token_texts']);
  const list = listOf(one?.value);
  if (one === null) return null;
  // An id beyond the vocabulary has no text.
  if (list === null || !list.every((text) => typeof text === 'string' || text === null)) {
    context.problem(`${one.name} is no list of texts; it is left out`);
    return null;
  }
  const length = layout.prompt + layout.response;
  // Texts are mostly written without padding.
  const offset =
    list.length === length ? 0 : list.length === layout.rawPrompt + layout.rawResponse ? layout.skip : null;
  if (offset === null) {
    context.problem(`${one.name} has ${list.length} texts, for ${length} tokens; they are left out`);
    return null;
  }
  context.found(one.name);
  return list.slice(offset, offset + length).map((text) => String(text ?? ''));
}

const NAMES: Readonly<Record<string, BatchRole>> = {
  ...{ context: 'prompt', prompt: 'prompt', system: 'prompt', user: 'prompt', developer: 'prompt' },
  ...{ action: 'action', assistant: 'action', response: 'action' },
  ...{ env_output: 'observation', observation: 'observation', tool: 'observation', env: 'observation' },
  ...{ warning: 'warning', thought: 'thought', template: 'template' },
};

/** Role with a name that some trainer gives it. */
export const roleNamed = (name: unknown): BatchRole =>
  typeof name === 'string' && Object.hasOwn(NAMES, name) ? (NAMES[name] ?? 'unknown') : 'unknown';

/** Roles that the line itself says, by token. */
function saidRoles(
  record: Json,
  layout: TokenLayout,
  context: Context,
): { numbers: Uint8Array; from: RolesFrom } | null {
  const one = firstField(record, ['roles']);
  if (one === null) return null;
  const list = listOf(one.value) ?? [];
  const offset = offsetOf(layout, list.length);
  const numbers = new Uint8Array(layout.prompt + layout.response).fill(BATCH_ROLE.prompt);
  if (offset === null) {
    context.problem(`roles has ${list.length} names, for ${numbers.length} tokens; they are left out`);
    return null;
  }
  const others = new Set<string>();
  for (let token = Math.max(0, -offset); token < numbers.length; token++) {
    const name = list[token + offset];
    numbers[token] = BATCH_ROLE[roleNamed(name)];
    if (numbers[token] === BATCH_ROLE.unknown) others.add(excerpt(String(name), 20));
  }
  if (others.size > 0) {
    context.problem(`roles has names that are not known, as ${[...others].slice(0, 3).join(', ')}; they are left out`);
    return null;
  }
  context.found('roles');
  return { numbers, from: 'roles' };
}

/** Beginning of a turn by Qwen3's template where no thinking is asked for. */
const EMPTY_THOUGHT = /^<think>\s*<\/think>\s*$/;

/** Roles where the line does not say them: by the chat template, by the engine's samples, or by the loss mask itself. */
function toldRoles(
  texts: readonly string[] | null,
  { weight, rollout, old }: Partial<Record<ColumnName, Float64Array>>,
  layout: TokenLayout,
): { numbers: Uint8Array; from: RolesFrom | null } {
  const isByEngine = rollout?.some((value) => value !== 0 && !Number.isNaN(value)) === true;
  // A marker that the policy sampled opens no turn: the engine has log-probs of it and of what follows, and 0 elsewhere.
  const hasLogProb = (token: number): boolean => (rollout?.[token] || 0) !== 0;
  const isApart = isByEngine && rollout?.subarray(layout.prompt).includes(0) === true;
  const isSaid = (token: number): boolean =>
    isApart && token >= layout.prompt && hasLogProb(token) && hasLogProb(token + 1);
  const read = texts?.map((text, token) => (isMarker(text) && isSaid(token) ? '' : text));
  const byText = read === undefined ? null : rolesOfTexts(read, layout.prompt);
  if (texts !== null && byText !== null) {
    // Templates write into the assistant's turn too, such as an empty thought: the engine sampled none of it.
    for (const [token, role] of byText.entries()) {
      const isWritten = isByEngine && rollout?.[token] === 0 && weight?.[token] === 0 && !STOPS.has(texts[token] ?? '');
      if (isWritten && isSampled(role)) byText[token] = BATCH_ROLE.template;
      if (!isSampled(byText[token]) || isSampled(byText[token - 1])) continue;
      let to = token;
      while (isSampled(byText[to]) && weight?.[to] === 0) to++;
      if (EMPTY_THOUGHT.test(texts.slice(token, to).map(readable).join(''))) {
        byText.fill(BATCH_ROLE.template, token, to);
      }
    }
    return { numbers: byText, from: 'texts' };
  }
  const numbers = new Uint8Array(layout.prompt + layout.response).fill(BATCH_ROLE.prompt, 0, layout.prompt);
  const isTrained = (token: number): boolean => (weight?.[token] || 0) !== 0;
  const wasSampled = (token: number): boolean => {
    const value = rollout?.[token] ?? Number.NaN;
    if (value !== 0) return Number.isNaN(value) ? isTrained(token) : true;
    // A token that is certain has log-prob 0 too; then the policy in training agrees.
    return isTrained(token) && (old?.[token] ?? 0) > CERTAIN;
  };
  for (let token = layout.prompt; token < numbers.length; token++) {
    const isAction = isByEngine ? wasSampled(token) : isTrained(token);
    numbers[token] = BATCH_ROLE[isAction ? 'action' : isByEngine ? 'observation' : 'unknown'];
  }
  return { numbers, from: isByEngine ? 'rollout' : weight === undefined ? null : 'trained' };
}

/**
 * True for a response that ends in a sample or an observation, but not in the end of a turn: it was cut off. Only texts
 * show it.
 */
function cutOff(texts: readonly string[] | null, roles: Uint8Array, from: RolesFrom | null): boolean | null {
  if (texts === null || from === 'trained' || !texts.some((text) => STOPS.has(text))) return null;
  // Masks and log-probs do not tell observations from the template.
  const isTold = from === 'texts' || from === 'roles';
  const isOpen = isSampled(roles.at(-1)) || (isTold && roles.at(-1) === BATCH_ROLE.observation);
  return isOpen && !STOPS.has(texts.at(-1) ?? '');
}

/** First token of the response that is another than the engine sampled, where the line has those ids too. */
function notSampled(record: Json, ids: Float64Array, layout: TokenLayout, context: Context): readonly number[] | null {
  const sampled = idsOf(firstField(record, ['sampled_ids'])?.value);
  if (sampled === null) return null;
  context.found('sampled_ids');
  for (let token = layout.prompt; token < ids.length; token++) {
    if (sampled[token - layout.prompt] !== ids[token]) return [token];
  }
  return [];
}

function countPrompt(roles: Uint8Array): number {
  const first = roles.findIndex((role) => role !== BATCH_ROLE.prompt && role !== BATCH_ROLE.template);
  return first === -1 ? roles.length : first;
}

function keyOf(ids: Float64Array): string {
  const key = new Key();
  for (const id of ids) key.add(id);
  return `${ids.length}-${key}`;
}
