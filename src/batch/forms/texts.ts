/** A trajectory out of a line that has texts only. */
import type { Json } from '../../foundation/json';
import { field, firstField, isNonFinite, numberOf } from '../json';
import { COMPUTED_TOKENS } from '../ownTexts';
import { BATCH_ROLE, type BatchTrajectory, type NonFiniteToken, type RoleSegment } from '../trajectory';
import { batchOf, type Context, groupOf, identityOf, keyOfTexts, rewardOf, sumOf, truncatedOf } from './common';

export interface TextSource {
  readonly segments: readonly RoleSegment[];
  /** Fields whose sum is the reward, where no field of that name is there. */
  readonly rewards?: readonly string[];
}

export function textTrajectory(
  record: Json,
  { segments, rewards = [] }: TextSource,
  context: Context,
): BatchTrajectory {
  const nonFinite: NonFiniteToken[] = [];
  const first = segments.findIndex(({ role }) => role !== 'prompt');
  const prompt = segments.slice(0, first === -1 ? segments.length : first).map(({ text }) => text);
  const all = segments.map(({ text }) => text);
  const advantage = firstField(record, ['advantage', 'advantages']);
  if (advantage !== null && isNonFinite(advantage.value)) {
    nonFinite.push({ field: advantage.name, token: null, value: String(advantage.value) });
  }
  const hasAdvantage = advantage !== null && Number.isFinite(numberOf(advantage.value));
  if (hasAdvantage) context.found(advantage.name);
  const named = rewardOf(record, context, nonFinite);
  const tokens = tokensOf(segments, context);
  const size = Math.max(1, tokens.length);
  return {
    ...{ file: context.file, line: context.line, number: context.number, form: context.form },
    ...{ ...tokens, segments, nonFinite, rendered: null },
    columns: hasAdvantage ? { advantage: new Float64Array(size).fill(numberOf(advantage.value)) } : {},
    isAdvantageScalar: hasAdvantage,
    reward: named ?? summed(record, rewards, context, nonFinite),
    group: groupOf(record, prompt.length === 0 ? null : keyOfTexts(...prompt), context),
    identity: identityOf(record),
    content: `${batchOf(record)} ${keyOfTexts(...all)}`,
    responseSize:
      tokens.roles === null
        ? all.slice(prompt.length).reduce((sum, text) => sum + text.length, 0)
        : tokens.roles.reduce((sum, role) => sum + Number(role !== BATCH_ROLE.prompt), 0),
    truncated: truncatedOf(record, context),
    retokenised: null,
  };
}

type Tokens = Pick<BatchTrajectory, 'length' | 'ids' | 'texts' | 'roles' | 'rolesFrom'>;

/** Tokens of the texts, each for itself, by the reader's tokenizer: the template's tokens around them are not known. */
function tokensOf(segments: readonly RoleSegment[], { own, found }: Context): Tokens {
  if (own?.encode == null || own.textOf === null) {
    return { length: 0, ids: null, texts: null, roles: null, rolesFrom: null };
  }
  found(COMPUTED_TOKENS);
  const { encode, textOf } = own;
  const all = segments.map(({ text, role }) => ({ ids: encode(text), role: BATCH_ROLE[role] }));
  const ids = all.flatMap((one) => one.ids);
  const roles = Uint8Array.from(all.flatMap((one) => one.ids.map(() => one.role)));
  return { length: ids.length, ids: Float64Array.from(ids), texts: ids.map(textOf), roles, rolesFrom: 'roles' };
}

function summed(record: Json, names: readonly string[], context: Context, nonFinite: NonFiniteToken[]): number | null {
  if (names.length === 0) return null;
  for (const name of names) context.found(name);
  // TRL has NaN where a reward function does not apply.
  const known = names.filter((name) => field(record, name) !== 'NaN');
  const sums = (known.length > 0 ? known : names)
    .map((name) => sumOf(name, [field(record, name)], nonFinite))
    .filter((one) => one !== null);
  return sums.length === 0 ? null : sums.reduce((sum, one) => sum + one, 0);
}
