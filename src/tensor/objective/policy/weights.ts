/** Weight of each token's policy loss: role · correction for decoding · aggregation. */
import { isDrawn } from '../../../foundation/roles';
import type { FloatData } from '../../backend';
import { GROUP, GROUP_COLUMNS, OUTCOME, OUTCOME_COLUMNS } from '../../columns';
import type { Batch } from '../../operations/batch';
import type { PolicyObjectiveOperations } from '../../operations/policyObjective';
import type { ObjectiveHost } from '../host';
import { decodingFactor } from './correction';
import { type PolicyMember, policyMember } from './member';

/** Counts of one trajectory. */
interface Trajectory {
  /** True if its group is kept: the number of trajectories includes it. */
  readonly counts: boolean;
  /** True if its group is kept and it is usable. */
  readonly used: boolean;
  /** Number of carrying tokens; 0 unless used. */
  carrying: number;
  /** Number of action tokens; 0 unless used. */
  actions: number;
  /** Σ old − behaviour log-prob over its action tokens. */
  decoding: number;
}

export function policyWeights(host: ObjectiveHost): PolicyObjectiveOperations['policyWeights'] {
  return (policyWeight, actionWeight, _scratch, batch, inputs, hyper) => {
    const { context } = batch;
    host.record(() => {
      for (let p = 0; p < host.members; p++) {
        const member = policyMember(host.f32(hyper, p));
        const [byPolicy, byAction] = [host.f32(policyWeight, p), host.f32(actionWeight, p)];
        const roles = host.u32(batch.roles, p);
        const [old, behaviour] = [host.f32(inputs.oldLogProb, p), host.f32(inputs.behaviourLogProb, p)];
        const gap = (at: number): number => (member.decodingCorrection === 'none' ? 0 : old[at] - behaviour[at]);
        const trajectories = trajectoriesOf(host, batch, inputs.group, p);
        trajectories.forEach((trajectory, b) => {
          if (!trajectory.used) return;
          for (let at = b * context; at < (b + 1) * context; at++) {
            if (member.roleWeight(roles[at]) !== 0) trajectory.carrying++;
            if (!isDrawn(roles[at])) continue;
            trajectory.actions++;
            trajectory.decoding += gap(at);
          }
        });
        const carrying = aggregation(member, trajectories, (one) => one.carrying, context);
        const actions = aggregation(member, trajectories, (one) => one.actions, context);
        trajectories.forEach((trajectory, b) => {
          const { used, decoding } = trajectory;
          const [ofCarrying, ofAction] = [carrying(trajectory), actions(trajectory)];
          for (let at = b * context; at < (b + 1) * context; at++) {
            const role = roles[at];
            const drawn = used && isDrawn(role);
            const weight = used ? member.roleWeight(role) : 0;
            const corrected = drawn && weight !== 0 && member.surrogate !== 'vespo';
            const factor = corrected ? decodingFactor(member, gap(at), decoding, trajectory.actions) : 1;
            byPolicy[at] = weight * factor * ofCarrying;
            byAction[at] = drawn ? ofAction : 0;
          }
        });
      }
    });
  };
}

function trajectoriesOf(host: ObjectiveHost, batch: Batch, group: Parameters<ObjectiveHost['f32']>[0], p: number) {
  const start = host.u32(batch.groupStart, p);
  const [groups, outcomes]: [FloatData, FloatData] = [host.f32(group, p), host.f32(batch.outcomes, p)];
  const trajectories: Trajectory[] = [];
  for (let g = 0; g < batch.groups; g++) {
    const kept = groups[g * GROUP_COLUMNS + GROUP.kept] !== 0;
    for (let b = start[g]; b < start[g + 1]; b++) {
      const usable = outcomes[b * OUTCOME_COLUMNS + OUTCOME.usable] !== 0;
      trajectories[b] = { counts: kept, used: kept && usable, carrying: 0, actions: 0, decoding: 0 };
    }
  }
  return trajectories;
}

/** Factor of a trajectory's tokens: lossScale ÷ the aggregation's denominator; 0 where it has no such token. */
function aggregation(
  member: PolicyMember,
  all: readonly Trajectory[],
  tokensOf: (trajectory: Trajectory) => number,
  context: number,
): (trajectory: Trajectory) => number {
  const tokens = all.reduce((sum, one) => sum + tokensOf(one), 0);
  const counted = member.countedSequences === 'all' ? () => 1 : (one: Trajectory) => Math.min(tokensOf(one), 1);
  const sequences = all.reduce((sum, one) => sum + (one.counts ? counted(one) : 0), 0);
  const N = member.tokenDenominator || tokens;
  const S = member.sequenceDenominator || sequences;
  const L = member.lengthDenominator || context;
  const denominators: Record<PolicyMember['aggregation'], (own: number) => number> = {
    'token-mean': () => N,
    'token-sum': () => 1,
    'seq-mean-token-mean': (own) => S * own,
    'seq-mean-token-sum': () => S,
    'seq-mean-token-sum-norm': () => S * L,
  };
  return (trajectory) => {
    const tokens = tokensOf(trajectory);
    return tokens === 0 ? 0 : member.lossScale / denominators[member.aggregation](tokens);
  };
}
