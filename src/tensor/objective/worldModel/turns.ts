/** PaW's choice of turns (arXiv 2606.02388, reconstructed): those whose actions the policy was least sure of. */

import { isDrawn } from '../../../foundation/roles';
import type { FloatData } from '../../backend';
import type { WorldModelMember } from './member';

interface Turn {
  /** Index of its first action token, and of the token after its last. */
  readonly start: number;
  end: number;
  /** Mean entropy of its action tokens, nats. */
  uncertainty: number;
}

/** 1 at every token of a chosen turn, [B,T]; null where the member takes every turn. */
export function uncertainTurns(
  roles: Uint32Array,
  entropy: FloatData,
  groupStart: Uint32Array,
  member: WorldModelMember,
  context: number,
): Uint8Array | null {
  const share = member.worldModelTurnShare;
  if (!(share > 0 && share < 1)) return null;
  const perGroup = member.worldModelTurnScope === 'group';
  const bounds = perGroup ? Array.from(groupStart) : [0, roles.length / context];
  const chosen = new Uint8Array(roles.length);
  for (let scope = 0; scope + 1 < bounds.length; scope++) {
    const turns: Turn[] = [];
    for (let b = bounds[scope]; b < bounds[scope + 1]; b++) {
      turns.push(...turnsOf(roles, entropy, b * context, (b + 1) * context));
    }
    const count = Math.max(1, nearest(share * turns.length));
    // A stable sort: of two equals the earlier one comes first.
    const ranked = [...turns].sort((a, b) => b.uncertainty - a.uncertainty);
    for (const { start, end } of ranked.slice(0, count)) chosen.fill(1, start, end);
  }
  return chosen;
}

/** Nearest whole number; 0.5001 in place of 0.5 makes float32 and float64 round halves alike. */
const nearest = (value: number): number => Math.floor(value + 0.5001);

/** The turns of one trajectory: runs of action tokens, each with the tokens that follow. */
function turnsOf(roles: Uint32Array, entropy: FloatData, first: number, end: number): Turn[] {
  const turns: Turn[] = [];
  let [sum, tokens] = [0, 0];
  for (let at = first; at < end; at++) {
    if (!isDrawn(roles[at])) continue;
    let turn = turns.at(-1);
    if (turn === undefined || !isDrawn(roles[at - 1])) {
      if (turn !== undefined) turn.end = at;
      turn = { start: at, end, uncertainty: 0 };
      turns.push(turn);
      [sum, tokens] = [0, 0];
    }
    sum += entropy[at];
    tokens++;
    turn.uncertainty = sum / tokens;
  }
  return turns;
}
