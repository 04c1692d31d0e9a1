/**
 * OpenEnv’s RFC 010 (trajectory.py of huggingface/OpenEnv#819), and this lab's own lines, which add numbers to it
 * (docs/trajectories.md): `segments` of role and text, or `input_ids` with a mask for each role.
 */
import { isJson, type Json } from '../../foundation/json';
import { field } from '../json';
import { BATCH_ROLE, type BatchTrajectory, type RoleSegment, type RolesFrom } from '../trajectory';
import { columnOf, idsOf, plain, type TokenLayout } from './columns';
import type { Context } from './common';
import { textTrajectory } from './texts';
import { roleNamed, tokenTrajectory } from './tokens';

const MASKS = [
  ['action_mask', 'action'],
  ['obs_mask', 'observation'],
  ['warning_mask', 'warning'],
  ['thought_mask', 'thought'],
] as const;

export function readOpenEnv(record: Json, context: Context): BatchTrajectory | null {
  const segments = segmentsOf(field(record, 'segments'));
  const ids = idsOf(field(record, 'input_ids'));
  if (ids === null) {
    if (segments === null) return null;
    context.found('segments');
    return textTrajectory(record, { segments }, context);
  }
  context.found('input_ids');
  const layout = plain(0, ids.length);
  const words = (segments ?? []).flatMap(({ text }) => text.split(' '));
  const texts = context.form === 'lab' && words.length === ids.length ? words : null;
  return tokenTrajectory(record, { ids, layout, roles: maskedRoles(record, layout, context), texts }, context);
}

function maskedRoles(
  record: Json,
  layout: TokenLayout,
  context: Context,
): { numbers: Uint8Array; from: RolesFrom } | null {
  const numbers = new Uint8Array(layout.prompt + layout.response).fill(BATCH_ROLE.prompt);
  let isKnown = false;
  for (const [name, role] of MASKS) {
    const mask = columnOf(record, [name], layout, context);
    if (mask === null) continue;
    isKnown ||= role === 'action';
    for (const [token, value] of mask.entries()) if (value > 0) numbers[token] = BATCH_ROLE[role];
  }
  return isKnown ? { numbers, from: 'masks' } : null;
}

function segmentsOf(value: unknown): RoleSegment[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const segments: RoleSegment[] = [];
  for (const one of value) {
    const text = isJson(one) ? field(one, 'text') : undefined;
    if (!isJson(one) || typeof text !== 'string') return null;
    segments.push({ role: roleNamed(field(one, 'role')), text });
  }
  return segments;
}
