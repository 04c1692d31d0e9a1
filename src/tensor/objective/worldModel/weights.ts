/** Weight of each token's world-model loss. */

import { isDrawn, isTarget, ROLE } from '../../../foundation/roles';
import type { FloatData } from '../../backend';
import { GROUP, GROUP_COLUMNS, OUTCOME, OUTCOME_COLUMNS } from '../../columns';
import { HYPER } from '../../layout';
import type { WorldModelOperations } from '../../operations/worldModel';
import type { ObjectiveHost } from '../host';
import { type WorldModelMember, worldModelMember } from './member';
import { uncertainTurns } from './turns';

/** Token counts of a trajectory; observations include warnings. */
interface Counts {
  selected: number;
  observations: number;
  actions: number;
}

const add = (a: Counts, b: Counts): Counts => ({
  selected: a.selected + b.selected,
  observations: a.observations + b.observations,
  actions: a.actions + b.actions,
});
const NOTHING: Counts = { selected: 0, observations: 0, actions: 0 };

export function worldModelWeights(host: ObjectiveHost): WorldModelOperations['worldModelWeights'] {
  return (crossEntropyWeight, _scratch, batch, inputs, hyper) => {
    const { trajectories, context, groups } = batch;
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const [weights, settings] = [host.f32(crossEntropyWeight, p), host.f32(hyper, p)];
        const member = worldModelMember(settings);
        const [roles, outcomes] = [host.u32(batch.roles, p), host.f32(batch.outcomes, p)];
        const [groupStart, group] = [host.u32(batch.groupStart, p), host.f32(inputs.group, p)];
        const uncertain = uncertainTurns(roles, host.f32(inputs.oldEntropy, p), groupStart, member, context);
        const counts = Array.from({ length: trajectories }, (_, b): Counts => {
          const count = { ...NOTHING };
          const chosen = isChosen(outcomes.subarray(b * OUTCOME_COLUMNS, (b + 1) * OUTCOME_COLUMNS), member);
          for (let at = b * context; at < (b + 1) * context; at++) {
            const role = roles[at];
            if (isDrawn(role)) count.actions++;
            if (role === ROLE.observation || role === ROLE.warning) count.observations++;
            const weight = isTarget(role) ? settings[HYPER.crossEntropy + role] : 0;
            const selected = weight !== 0 && chosen && (uncertain === null || uncertain[at] === 1);
            weights[at] = selected ? weight : 0;
            if (selected) count.selected++;
          }
          return count;
        });
        const divisor = batchDenominator(counts, groups, member);
        for (let g = 0; g < groups; g++) {
          const [first, end] = [groupStart[g], groupStart[g + 1]];
          const inGroup = counts.slice(first, end).reduce(add, NOTHING);
          const factor = rewardFactor(group[g * GROUP_COLUMNS + GROUP.mean], member) / divisor;
          for (let b = first; b < end; b++) {
            const scale = factor / sequenceDenominator(counts[b], inGroup, context, member);
            for (let at = b * context; at < (b + 1) * context; at++) weights[at] *= scale;
          }
        }
      }
    });
  };
}

/** True if the world-model loss learns from a trajectory with this outcome. */
function isChosen(outcome: FloatData, member: WorldModelMember): boolean {
  const wanted = member.worldModelTrajectories;
  const solved = outcome[OUTCOME.solved] !== 0;
  if (wanted === 'failed' && solved) return false;
  if (wanted === 'solved' && !solved) return false;
  return !(outcome[OUTCOME.valid] < member.worldModelMinValid);
}

/** PaW's reward-adaptive balance (reconstructed), 0 … 1: the less a group succeeds, the more of the world it learns. */
function rewardFactor(mean: number, member: WorldModelMember): number {
  const scale = member.worldModelRewardScale;
  return scale > 0 ? Math.min(Math.max(1 - mean / scale, 0), 1) : 1;
}

/** Divisor from a count: at least 1, plus the member's ε. */
const tokens = (count: number, member: WorldModelMember): number => Math.max(count, 1) + member.worldModelCountEpsilon;

function sequenceDenominator(counts: Counts, inGroup: Counts, context: number, member: WorldModelMember): number {
  switch (member.worldModelSequenceDenominator) {
    case 'selected-tokens':
      return tokens(counts.selected, member);
    case 'observation-tokens':
      return tokens(counts.observations, member);
    case 'length':
      return member.worldModelLength || context;
    case 'group-selected-tokens':
      return tokens(inGroup.selected, member);
    default:
      return 1;
  }
}

function batchDenominator(counts: readonly Counts[], groups: number, member: WorldModelMember): number {
  const total = counts.reduce(add, NOTHING);
  const having = (what: keyof Counts): number => Math.max(counts.filter((count) => count[what] > 0).length, 1);
  switch (member.worldModelBatchDenominator) {
    case 'action-tokens':
      return tokens(total.actions, member);
    case 'all-tokens':
      return tokens(total.actions + total.observations, member);
    case 'sequences':
      return counts.length;
    case 'selected-sequences':
      return having('selected');
    case 'action-sequences':
      return having('actions');
    case 'groups':
      return groups;
    case 'given':
      return member.worldModelDenominator || 1;
    case 'none':
      return 1;
    default:
      return tokens(total.selected, member);
  }
}
