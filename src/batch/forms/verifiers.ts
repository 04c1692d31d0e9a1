/**
 * verifiers: results.jsonl (example_id, prompt, completion, reward, is_truncated, …), whose column `trajectory`, if it was asked
 * for, has the tokens of each turn: prompt_ids and completion_ids with masks and log-probs. A turn's prompt begins with what
 * came before it; where it does not, the text was tokenised again.
 */
import { isJson, type Json } from '../../foundation/json';
import { field, isNonFinite, listOf, numberOf } from '../json';
import { BATCH_ROLE, type BatchTrajectory } from '../trajectory';
import { idsOf, plain } from './columns';
import type { Context } from './common';
import { textTrajectory } from './texts';
import { tokenTrajectory } from './tokens';
import { segmentsIn } from './trl';

export function readVerifiersText(record: Json, context: Context): BatchTrajectory | null {
  const prompt = segmentsIn(field(record, 'prompt') ?? [], 'prompt');
  const completion = segmentsIn(field(record, 'completion') ?? [], 'unknown');
  if (prompt === null || completion === null || prompt.length + completion.length === 0) return null;
  context.found('prompt');
  context.found('completion');
  return textTrajectory(record, { segments: [...prompt, ...completion] }, context);
}

/** Turns with tokens; null if there are none. */
export function turnsOf(record: Json): Json[] | null {
  const turns = field(record, 'trajectory');
  if (!Array.isArray(turns) || turns.length === 0) return null;
  const tokens = turns.map((turn) => (isJson(turn) ? field(turn, 'tokens') : undefined));
  return tokens.every(isJson) ? tokens : null;
}

interface Grown {
  readonly ids: number[];
  readonly roles: number[];
  readonly weight: number[];
  readonly rollout: unknown[];
  readonly advantage: unknown[];
  readonly retokenised: number[];
}

export function readVerifiersTokens(record: Json, context: Context): BatchTrajectory | null {
  const turns = turnsOf(record);
  if (turns === null) return null;
  const grown: Grown = { ids: [], roles: [], weight: [], rollout: [], advantage: [], retokenised: [] };
  const steps = field(record, 'trajectory') as readonly Json[];
  let first = 0;
  for (const [index, turn] of turns.entries()) {
    const prompt = idsOf(field(turn, 'prompt_ids'));
    const completion = idsOf(field(turn, 'completion_ids'));
    if (prompt === null || completion === null) return null;
    if (index === 0) first = prompt.length;
    growPrompt(grown, prompt, turn, index === 0);
    growCompletion(grown, completion, turn, field(steps[index] as Json, 'advantage') ?? field(record, 'advantage'));
  }
  context.found('trajectory.tokens');
  const all: Json = {
    ...{ reward: field(record, 'reward'), example_id: field(record, 'example_id'), step: field(record, 'step') },
    ...{ trajectory_id: field(steps[0] as Json, 'trajectory_id'), tokens: field(record, 'tokens') },
    is_truncated: field(record, 'is_truncated') ?? turns.some((turn) => field(turn, 'is_truncated') === true),
    ...(grown.rollout.some((one) => one !== null) && { rollout_log_probs: grown.rollout }),
    ...(grown.advantage.some((one) => one !== null) && { advantages: grown.advantage }),
    ...(field(record, 'loss_mask') !== undefined && { loss_mask: field(record, 'loss_mask') }),
  };
  const isRead = !grown.weight.some(Number.isNaN);
  if (!isRead) context.problem('has masks with values that are no numbers; they are left out');
  const layout = plain(first, grown.ids.length - first);
  const source = {
    ids: Float64Array.from(grown.ids),
    layout,
    weight: isRead ? Float64Array.from(grown.weight) : null,
    roles: { numbers: Uint8Array.from(grown.roles), from: 'masks' as const },
    retokenised: turns.length > 1 ? grown.retokenised : null,
  };
  return tokenTrajectory(all, source, context);
}

/** New tokens of this turn's prompt: the first turn's are all prompt, later ones are observations. */
function growPrompt(grown: Grown, prompt: Float64Array, turn: Json, isFirst: boolean): void {
  const mask = listOf(field(turn, 'prompt_mask'));
  for (let at = 0; at < Math.min(grown.ids.length, prompt.length); at++) {
    if (grown.ids[at] !== prompt[at]) {
      grown.retokenised.push(at);
      break;
    }
  }
  for (let at = grown.ids.length; at < prompt.length; at++) {
    grow(
      grown,
      prompt[at] ?? 0,
      isFirst ? BATCH_ROLE.prompt : BATCH_ROLE.observation,
      mask === null ? 0 : numberOf(mask[at]),
    );
  }
}

function growCompletion(grown: Grown, completion: Float64Array, turn: Json, advantage: unknown): void {
  const mask = listOf(field(turn, 'completion_mask'));
  const logProbs = listOf(field(turn, 'completion_logprobs'));
  for (const [at, id] of completion.entries()) {
    grow(grown, id, BATCH_ROLE.action, mask === null ? 1 : numberOf(mask[at]), logProbs?.[at], advantage);
  }
}

function grow(grown: Grown, id: number, role: number, weight: number, rollout?: unknown, advantage?: unknown): void {
  const known = (value: unknown): unknown => (typeof value === 'number' || isNonFinite(value) ? value : null);
  grown.ids.push(id);
  grown.roles.push(role);
  grown.weight.push(weight);
  grown.rollout.push(known(rollout));
  grown.advantage.push(known(advantage));
}
