/**
 * verl: the rollout dump that its trainer writes (`trainer.rollout_data_dir`: input, output, gts, score, step and the reward
 * function's own), and the tensors of a batch (DataProto), a row a line: prompts padded on the left, responses on the right.
 */
import type { Json } from '../../foundation/json';
import { field } from '../json';
import { BATCH_ROLE, type BatchTrajectory, type RolesFrom } from '../trajectory';
import { columnOf, idsOf, plain, type TokenLayout } from './columns';
import type { Context } from './common';
import { textTrajectory } from './texts';
import { tokenTrajectory } from './tokens';

export function readVerlText(record: Json, context: Context): BatchTrajectory | null {
  const [input, output] = [field(record, 'input'), field(record, 'output')];
  if (typeof input !== 'string' || typeof output !== 'string') return null;
  context.found('input');
  context.found('output');
  const segments = [
    { role: 'prompt', text: input },
    { role: 'unknown', text: output },
  ] as const;
  return textTrajectory(record, { segments }, context);
}

export function readVerlTokens(record: Json, context: Context): BatchTrajectory | null {
  const responses = idsOf(field(record, 'responses'));
  if (responses === null) return null;
  const all = idsOf(field(record, 'input_ids'));
  const prompts =
    idsOf(field(record, 'prompts')) ??
    all?.subarray(0, Math.max(0, all.length - responses.length)) ??
    new Float64Array();
  context.found('responses');
  const whole = plain(prompts.length, responses.length);
  const attention = columnOf(record, ['attention_mask'], whole, context);
  const layout = attention === null ? whole : withoutPadding(attention, whole);
  const ids = new Float64Array(layout.prompt + layout.response);
  ids.set(prompts.subarray(layout.skip));
  ids.set(responses.subarray(0, layout.response), layout.prompt);
  const mask = columnOf(record, ['response_mask'], layout, context);
  const hasLossMask = field(record, 'loss_mask') !== undefined || field(record, 'policy_weights') !== undefined;
  const roles = mask !== null && hasLossMask ? rolesOf(mask, layout) : null;
  return tokenTrajectory(record, { ids, layout, weight: mask, roles }, context);
}

/** Padding has attention 0, left of the prompt and right of the response. */
export function withoutPadding(attention: Float64Array, { rawPrompt, rawResponse }: TokenLayout): TokenLayout {
  let skip = 0;
  while (skip < rawPrompt && attention[skip] === 0) skip++;
  let response = rawResponse;
  while (response > 0 && attention[rawPrompt + response - 1] === 0) response--;
  return { rawPrompt, rawResponse, skip, prompt: rawPrompt - skip, response };
}

/** Roles from the response's mask, which says what was sampled where the loss has a mask of its own. */
export function rolesOf(mask: Float64Array, { prompt }: TokenLayout): { numbers: Uint8Array; from: RolesFrom } {
  const numbers = new Uint8Array(mask.length);
  for (const [token, value] of mask.entries()) {
    numbers[token] = BATCH_ROLE[token < prompt ? 'prompt' : value > 0 ? 'action' : 'observation'];
  }
  return { numbers, from: 'masks' };
}
