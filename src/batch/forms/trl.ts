/**
 * TRL: the completions log (`log_completions`: step, prompt, completion, a column for each reward function, advantage), and
 * the tensors that its trainer hands to the loss, a row a line: prompt_ids, completion_ids, their masks, tool_mask.
 */
import type { Json } from '../../foundation/json';
import { segmentsOfMessages } from '../chat';
import { field } from '../json';
import type { BatchTrajectory, RoleSegment } from '../trajectory';
import { columnOf, idsOf, plain } from './columns';
import type { Context } from './common';
import { textTrajectory } from './texts';
import { tokenTrajectory } from './tokens';
import { rolesOf, withoutPadding } from './verl';

/** Columns of the log that are no rewards. */
const OTHERS = new Set([
  'step',
  'prompt',
  'completion',
  'advantage',
  'mode',
  'image',
  'images',
  'truncated',
  'uid',
  'group',
]);

export function readTrlText(record: Json, context: Context): BatchTrajectory | null {
  const prompt = segmentsIn(field(record, 'prompt'), 'prompt');
  const completion = segmentsIn(field(record, 'completion'), 'unknown');
  if (prompt === null || completion === null) return null;
  context.found('prompt');
  context.found('completion');
  const rewards = Object.keys(record).filter((name) => !OTHERS.has(name) && isNumber(field(record, name)));
  return textTrajectory(record, { segments: [...prompt, ...completion], rewards }, context);
}

const isNumber = (value: unknown): boolean => typeof value === 'number' || value === 'NaN';

/** A text, or messages: of a prompt all are prompt, of a completion the assistant's are actions. */
export function segmentsIn(value: unknown, role: 'prompt' | 'unknown'): RoleSegment[] | null {
  if (typeof value === 'string') return [{ role, text: value }];
  if (Array.isArray(value) && value.length === 0) return [];
  const segments = segmentsOfMessages(value, role === 'unknown');
  return role === 'prompt' ? (segments?.map(({ text }) => ({ role, text })) ?? null) : segments;
}

export function readTrlTokens(record: Json, context: Context): BatchTrajectory | null {
  const completion = idsOf(field(record, 'completion_ids'));
  if (completion === null) return null;
  const prompt = idsOf(field(record, 'prompt_ids')) ?? new Float64Array();
  context.found('completion_ids');
  const whole = plain(prompt.length, completion.length);
  const promptMask = columnOf(record, ['prompt_mask'], plain(prompt.length, 0), context);
  const mask = columnOf(record, ['completion_mask'], plain(0, completion.length), context);
  // A completion that is left out of the loss because it was cut off has a mask of zeros.
  const isLeftOut = mask?.every((value) => value === 0) === true;
  const attention = new Float64Array(prompt.length + completion.length).fill(1);
  if (promptMask !== null) attention.set(promptMask);
  if (mask !== null && !isLeftOut) attention.set(mask, prompt.length);
  const layout = withoutPadding(attention, whole);
  const ids = new Float64Array(layout.prompt + layout.response);
  ids.set(prompt.subarray(layout.skip));
  ids.set(completion.subarray(0, layout.response), layout.prompt);
  const tool = columnOf(record, ['tool_mask', 'env_mask'], plain(0, completion.length), context);
  const isRead = (column: Float64Array | null, ...names: string[]): boolean =>
    column !== null || names.every((name) => field(record, name) === undefined);
  const isWhole = isRead(mask, 'completion_mask') && isRead(tool, 'tool_mask', 'env_mask');
  const hasMask = isWhole && (mask ?? tool) !== null;
  const weight = hasMask ? new Float64Array(ids.length).fill(Number.NaN) : null;
  for (let at = 0; weight !== null && at < layout.response; at++) {
    weight[layout.prompt + at] = (mask?.[at] ?? 1) * (tool?.[at] ?? 1);
  }
  const hasLossMask = field(record, 'loss_mask') !== undefined || field(record, 'policy_weights') !== undefined;
  const sampled = hasLossMask ? weight : null;
  return tokenTrajectory(
    record,
    { ids, layout, weight, roles: sampled && rolesOf(sampled, layout), truncated: isLeftOut ? true : null },
    context,
  );
}
