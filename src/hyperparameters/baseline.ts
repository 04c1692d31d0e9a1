/** Score of a trajectory, and the baseline that is subtracted from it. */
import { index, row, symbol, words } from '../foundation/notation';
import { isByCritic, isByTree, isByTurnRewards } from './credit';
import { both, type Condition, choice, either, isOneOf, not } from './setting';

const R = symbol('R', 'R');
const optimal = () => symbol('b', 'b');

/** Baselines that act on each token's own return. */
const BASELINES_OF_TOKENS = [
  'greedy',
  'optimal-token',
  'optimal-token-tail',
  'optimal-turn-token',
  'optimal-turn-token-tail',
] as const;

/**
 * Source of a trajectory's score.
 *   tokens            the sum of tokenReward
 *   parts             Σ rewardWeight·part of the trajectory's outcome, given at its last action token (GRPO with
 *                     several rewards)
 *   normalised-parts  each part minus its group's mean, over its group's deviation (when scale is group-deviation),
 *                     then weighted and added; baseline and scale act no further (GDPO, arXiv 2601.05242;
 *                     "normalize_then_sum" in TRL)
 * A part that is NaN is left out. A trajectory whose weighted parts are all NaN is left out of its group and gets 0
 * (TRL).
 */
export const rewardSource = choice(
  'Score',
  'What a trajectory’s score is made of: its rewards added up, or each part of the reward normalised within its group first (GDPO).',
  {
    tokens: 'its rewards, each at its token',
    parts: 'its weighted parts, at the end (TRL)',
    'normalised-parts': 'its parts, each normalised (GDPO)',
  },
);

/**
 * Baseline that is subtracted from a score. n is the number of trajectories that count in the group, s their scores.
 *   group-mean               mean s
 *   none                     nothing
 *   leave-one-out            mean of the others: the difference is n/(n − 1)·(s − mean s) (RLOO, arXiv 2402.14740)
 *   length-weighted-mean     Σ length·s/Σ length (OPO, arXiv 2505.23585)
 *   greedy                   OUTCOME.baseline, the greedy trajectory's reward, from every token's return (ReMax, arXiv
 *                            2310.10505)
 *   second-best              the second best s, from the best only; the others' advantage is 0 (Pass@k, arXiv
 *                            2503.19595)
 *   batch-mean               mean s of all groups together (PRPO in rLLM)
 *   optimal-token            Σ G·W/(Σ W + 1e-8) over the group at the same position (OTB): G the reward-to-go, W the
 *                            running sum of 1 − 2π + Σ π² from the trajectory's beginning
 *   optimal-token-tail       the same, 0 for the group's one longest trajectory from the second longest's length on
 *                            (verl's default)
 *   optimal-turn-token       the same as optimal-token at the same number of action tokens instead (verl's multi-turn
 *                            variant)
 *   optimal-turn-token-tail  likewise
 * greedy and the four of OTB act under credit outcome and reward-to-go, not under gae, bilevel-gae and tree; under turn-rewards
 * none acts.
 */
export const advantageBaseline = choice(
  'Baseline',
  'What is subtracted from a score: GRPO takes the group’s mean, RLOO that of the others, ReMax a greedy trajectory’s.',
  {
    'group-mean': { name: 'group mean (GRPO)', formula: () => row(words('mean'), R) },
    none: 'none',
    'leave-one-out': { name: 'mean of the others (RLOO)', formula: () => row(words('mean of the others’'), R) },
    'length-weighted-mean': { name: 'mean by length (OPO)', formula: () => row(words('mean by length of'), R) },
    greedy: { name: 'greedy trajectory (ReMax)', formula: () => index(R, words('greedy')) },
    'second-best': {
      name: 'second best (Pass@k)',
      formula: () => index(R, words('2nd')),
      remark: 'the best of the group only, the others 0',
    },
    'batch-mean': { name: 'batch mean (PRPO)', formula: () => index(row(words('mean'), R), words('batch')) },
    'optimal-token': {
      name: 'optimal, by token (OTB)',
      formula: optimal,
      remark: 'b: least variance at this position',
    },
    'optimal-token-tail': {
      name: 'optimal, by token, without tail (verl)',
      formula: optimal,
      remark: 'b: least variance at this position',
    },
    'optimal-turn-token': {
      name: 'optimal, by action token',
      formula: optimal,
      remark: 'b: least variance at this action token',
    },
    'optimal-turn-token-tail': {
      name: 'optimal, by action token, without tail',
      formula: optimal,
      remark: 'b: least variance at this action token',
    },
  },
  { when: (read) => isBaselineTaken(read) },
);

/** False where no baseline acts: normalised parts have means of their own, a critic and a tree drop those of tokens, turns theirs. */
const isBaselineTaken: Condition = both(
  both(not(isOneOf(rewardSource, 'normalised-parts')), not(isByTurnRewards)),
  not(both(either(isByCritic, isByTree), isOneOf(advantageBaseline, ...BASELINES_OF_TOKENS))),
);
