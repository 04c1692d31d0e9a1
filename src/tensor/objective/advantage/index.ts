/**
 * Advantages from rewards, in the order of the files: member (facts of each token), scores (groups, and one normalised
 * score a trajectory), credit (running sums over tokens), tokens (baselines and steps token by token), tree and turns (turns
 * compared in their group), whitening.
 */
import { OUTCOME } from '../../columns';
import type { AdvantageOperations } from '../../operations/advantage';
import type { ObjectiveHost } from '../host';
import { creditOf } from './credit';
import { type AdvantageMember, memberOf } from './member';
import { type Shaped, shapedScores } from './scores';
import { optimalTokenBaseline, stepAdvantages } from './tokens';
import { treeAdvantages } from './tree';
import { turnRewardAdvantages } from './turns';
import { whiten } from './whitening';

export function advantageOperations(host: ObjectiveHost): AdvantageOperations {
  return {
    advantages(advantage, returns, group, _scratch, batch, inputs, hyper) {
      host.record(() => {
        for (let p = 0; p < host.members; p++) {
          const member = memberOf(host, p, batch, inputs, hyper);
          const shaped = shapedScores(member, host.f32(group, p));
          const advantages = tokenAdvantages(member, shaped);
          host.f32(advantage, p).set(advantages.advantage);
          host.f32(returns, p).set(advantages.returns);
        }
      });
    },
  };
}

/** Summand of every token of a turn, [B, turns], under a credit. */
function stepsOf(credit: AdvantageMember['options']['advantageCredit']): typeof stepAdvantages {
  if (credit === 'tree') return treeAdvantages;
  return credit === 'turn-rewards' ? turnRewardAdvantages : stepAdvantages;
}

function tokenAdvantages(
  member: AdvantageMember,
  shaped: readonly Shaped[],
): { advantage: Float64Array; returns: Float64Array } {
  const { options, B, T, turns, isAction, isTarget, turn, outcome } = member;
  const credits = shaped.map((own, b) => creditOf(member, b, own));
  const baseline = options.isOptimalToken ? optimalTokenBaseline(member, credits, shaped) : null;
  const steps = stepsOf(options.advantageCredit)(member, shaped);
  const [advantage, returns] = [new Float64Array(B * T), new Float64Array(B * T)];
  shaped.forEach(({ used, factor }, b) => {
    const isGreedy = options.advantageBaseline === 'greedy' && options.advantageCredit === 'reward-to-go';
    const greedy = isGreedy ? outcome(b, OUTCOME.baseline) * factor : 0;
    for (let t = 0; t < T; t++) {
      const at = b * T + t;
      if (!isTarget[at]) continue;
      if (isAction[at] || options.offMask !== 'zero') returns[at] = credits[b]?.returns[t];
      if (!used) continue;
      if (isAction[at]) {
        const k = turn[at];
        const step = k < turns ? steps[b * turns + k] : 0;
        advantage[at] = credits[b]?.advantage[t] - greedy - (baseline?.[at] ?? 0) + step;
      } else if (options.offMask === 'carried') {
        advantage[at] = credits[b]?.advantage[t];
      }
    }
  });
  whiten(member, advantage, shaped);
  return { advantage, returns: options.isByTurn || options.advantageCredit === 'outcome' ? advantage : returns };
}
