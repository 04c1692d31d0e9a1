/** Fields that all forms have, under one name or another: reward, group, identity, end. */
import { isJson, type Json } from '../../foundation/json';
import { field, firstField, isNonFinite, Key, listOf, numberOf } from '../json';
import type { OwnTexts } from '../ownTexts';
import type { FormId, NonFiniteToken } from '../trajectory';

/** Place of a trajectory, and the listeners to which its reader tells what is wrong with it. */
export interface Context {
  readonly file: string;
  readonly line: number;
  readonly number: number;
  readonly form: FormId;
  /** Tells something that was left out of a line which was read otherwise. */
  readonly problem: (what: string) => void;
  /** Tells once a fault that many lines have. */
  readonly again: (what: string) => void;
  /** Notes that a field was understood. */
  readonly found: (field: string) => void;
  /** The reader's own tokenizer and chat template. */
  readonly own: OwnTexts | null;
}

const REWARDS = ['reward', 'score', 'rewards', 'token_level_scores', 'token_level_rewards', 'rm_scores'];
const GROUPS = ['group', 'group_id', 'uid', 'example_id', 'prompt_id'];
const STEPS = ['step', 'global_step', 'global_steps'];
const IDENTITIES = ['request_id', 'trajectory_id', 'rollout_id', 'id'];
const TRUNCATED = ['truncated', 'is_truncated'];
const ENDS = ['finish_reason', 'stop_reason', 'stop_condition'];

/** The reward; a list of rewards by token is added up. A value that is no finite number is told in `nonFinite`. */
export function rewardOf(record: Json, context: Context, nonFinite: NonFiniteToken[]): number | null {
  const one = firstField(record, REWARDS);
  if (one === null) return null;
  context.found(one.name);
  return sumOf(one.name, listOf(one.value) ?? [one.value], nonFinite);
}

/** Sum of numbers; null where there is none, or one of them is NaN or infinite: the others’ sum would pass for a reward. */
export function sumOf(name: string, values: readonly unknown[], nonFinite: NonFiniteToken[]): number | null {
  let sum = 0;
  let [isKnown, isWhole] = [false, true];
  for (const value of values) {
    if (isNonFinite(value)) nonFinite.push({ field: name, token: null, value: String(value) });
    isWhole &&= !isNonFinite(value);
    const number = numberOf(value);
    if (!Number.isFinite(number)) continue;
    isKnown = true;
    sum += number;
  }
  return isKnown && isWhole ? sum : null;
}

/** Letters of a name; a longer one is its start and a key of the whole. */
const LONGEST_NAME = 200;

/** A name out of a text or a number. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const name = String(value);
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}… ${keyOfTexts(name)}` : name;
}

/** Names the batch that a line is of, where a file has several: a step, or an arm of this lab. */
export function batchOf(record: Json): string {
  const meta = field(record, 'meta');
  const parts = isJson(meta) ? ['arm', 'seed', 'update'].map((name) => nameOf(field(meta, name)) ?? '') : [];
  return [nameOf(firstField(record, STEPS)?.value) ?? '', ...parts].join('/');
}

/** Name of the group: a field of that meaning within its step, or else the prompt. */
export function groupOf(record: Json, prompt: string | null, context: Context): string | null {
  const batch = batchOf(record);
  const meta = field(record, 'meta');
  if (isJson(meta) && field(meta, 'group') !== undefined) {
    context.found('meta.group');
    return `${batch}/${nameOf(field(meta, 'group')) ?? ''}`;
  }
  const one = firstField(record, GROUPS);
  const name = nameOf(one?.value);
  if (one !== null && name !== null) {
    context.found(one.name);
    return `${batch}/${name}`;
  }
  return prompt === null ? null : `${batch}/prompt ${prompt}`;
}

export function identityOf(record: Json): string | null {
  const meta = field(record, 'meta');
  if (isJson(meta) && field(meta, 'trajectory') !== undefined) {
    return ['group', 'trajectory'].map((name) => nameOf(field(meta, name)) ?? '').join('/');
  }
  return nameOf(firstField(record, IDENTITIES)?.value);
}

/** True if the episode was cut off; null if the line says nothing of it. */
export function truncatedOf(record: Json, context: Context): boolean | null {
  const flag = firstField(record, TRUNCATED);
  if (flag !== null && !Number.isNaN(numberOf(flag.value))) {
    context.found(flag.name);
    return numberOf(flag.value) !== 0;
  }
  const end = firstField(record, ENDS);
  if (end === null || typeof end.value !== 'string') return null;
  context.found(end.name);
  return /length|max_tokens|max_new_tokens/.test(end.value);
}

/** Key of equal texts. */
export function keyOfTexts(...texts: readonly string[]): string {
  const key = new Key();
  for (const text of texts) key.addText(text);
  return key.toString();
}
