/**
 * From what an update read back to the metric vocabulary, one row of METRICS a member. Definitions are in metrics.ts;
 * an undefined value (no such token, not measured this time) is NaN.
 */
import { ROLE } from '../foundation/roles';
import { TERM, TERM_COLUMNS } from '../tensor/layout';
import { METRIC, METRICS } from './metrics';
import type { UpdateReadback } from './update';

/** What the rollout alone tells, taken before the trajectories are overwritten; [P] each. */
export interface RolloutSummary {
  readonly successRate: Float64Array;
  readonly return: Float64Array;
  readonly trajectoryTokens: Float64Array;
  readonly tokens: number;
}

export function summariseRollout(trajectories: {
  members: number;
  count: number;
  lengths: ArrayLike<number>;
  rewards: ArrayLike<number>;
  successes: ArrayLike<number>;
}): RolloutSummary {
  const { members, count, lengths, rewards, successes } = trajectories;
  const mean = (values: ArrayLike<number>): Float64Array => {
    const means = new Float64Array(members);
    for (let i = 0; i < members * count; i++) {
      const member = Math.floor(i / count);
      means[member] = (means[member] as number) + (values[i] as number) / count;
    }
    return means;
  };
  const trajectoryTokens = mean(lengths);
  let tokens = 0;
  for (let i = 0; i < members * count; i++) tokens += lengths[i] as number;
  return { successRate: mean(successes), return: mean(rewards), trajectoryTokens, tokens };
}

/** [P, METRICS.length]. */
export function measure(
  summary: RolloutSummary,
  readback: UpdateReadback,
  innerEpochs: readonly number[],
): Float64Array {
  const members = summary.successRate.length;
  const values = new Float64Array(members * METRICS.length).fill(Number.NaN);
  for (let member = 0; member < members; member++) {
    const first = (term: number): number => readback.firstTerms[member * TERM_COLUMNS + term] as number;
    const later = (term: number): number => readback.laterTerms[member * TERM_COLUMNS + term] as number;
    const count = (role: number): number => readback.counts[member * 4 + role] as number;
    const put = (metric: keyof typeof METRIC, value: number | undefined): void => {
      values[member * METRICS.length + METRIC[metric]] = value ?? Number.NaN;
    };
    // 0/0 is NaN, which is what "undefined" means here.
    const actions = count(ROLE.action);
    put('successRate', summary.successRate[member]);
    put('return', summary.return[member]);
    put('trajectoryTokens', summary.trajectoryTokens[member]);
    put('observationCrossEntropy', first(TERM.observationNll) / count(ROLE.observation));
    put('entropy', first(TERM.entropy) / actions);
    put('kl', first(TERM.kl) / actions);
    put('mismatch', first(TERM.mismatch) / actions);
    put('clipFraction', (first(TERM.clipped) + later(TERM.clipped)) / (actions * (innerEpochs[member] as number)));
    put('gradNorm', readback.gradNorm[member]);
    put('policyGradNorm', readback.policyGradNorm?.[member]);
    put('worldModelGradNorm', readback.worldModelGradNorm?.[member]);
    put('zeroVarianceGroups', readback.zeroVariance[member]);
  }
  return values;
}
