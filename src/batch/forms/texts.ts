/** A trajectory out of a line that has texts only. */
import { field, firstField, isNonFinite, type Json, numberOf } from '../json';
import type { NonFinite, Segment, Trajectory } from '../trajectory';
import { batchOf, type Context, groupOf, identityOf, keyOfTexts, rewardOf, sumOf, truncatedOf } from './common';

export interface TextSource {
  readonly segments: readonly Segment[];
  /** Fields whose sum is the reward, where no field of that name is there. */
  readonly rewards?: readonly string[];
}

export function textTrajectory(record: Json, { segments, rewards = [] }: TextSource, context: Context): Trajectory {
  const nonFinite: NonFinite[] = [];
  const first = segments.findIndex(({ role }) => role !== 'prompt');
  const prompt = segments.slice(0, first === -1 ? segments.length : first).map(({ text }) => text);
  const all = segments.map(({ text }) => text);
  const advantage = firstField(record, ['advantage', 'advantages']);
  if (advantage !== null && isNonFinite(advantage.value)) {
    nonFinite.push({ field: advantage.name, token: null, value: advantage.value });
  }
  const hasAdvantage = advantage !== null && Number.isFinite(numberOf(advantage.value));
  if (hasAdvantage) context.found(advantage.name);
  const named = rewardOf(record, context, nonFinite);
  return {
    ...{ file: context.file, line: context.line, number: context.number, form: context.form },
    ...{ length: 0, ids: null, texts: null, segments, roles: null, rolesFrom: null, nonFinite },
    columns: hasAdvantage ? { advantage: Float64Array.of(numberOf(advantage.value)) } : {},
    isAdvantageScalar: hasAdvantage,
    reward: named ?? summed(record, rewards, context, nonFinite),
    group: groupOf(record, prompt.length === 0 ? null : keyOfTexts(...prompt), context),
    identity: identityOf(record),
    content: `${batchOf(record)} ${keyOfTexts(...all)}`,
    responseSize: all.slice(prompt.length).reduce((sum, text) => sum + text.length, 0),
    truncated: truncatedOf(record, context),
    retokenised: null,
  };
}

function summed(record: Json, names: readonly string[], context: Context, nonFinite: NonFinite[]): number | null {
  if (names.length === 0) return null;
  for (const name of names) context.found(name);
  const sums = names.map((name) => sumOf(name, [field(record, name)], nonFinite)).filter((one) => one !== null);
  return sums.length === 0 ? null : sums.reduce((sum, one) => sum + one, 0);
}
