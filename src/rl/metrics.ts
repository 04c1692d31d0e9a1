/**
 * The fixed metric vocabulary: one number per member and update, the same names in curves, JSON and charts. Every value
 * is measured on that update's rollouts before its optimisation unless said otherwise; undefined is NaN in transfer
 * arrays and null in JSON, never 0. Where hindsight relabels trajectories, what an episode came to (success, return and the
 * reward's parts, groups failed and solved, lengths, turns, warnings, verdicts) is as it was played; what the losses work
 * on (log-probs, entropy, cross-entropy, ratios, gradients, groups kept and of equal rewards) is as it is learned from.
 */
import type { WorldId } from '../environments/mixture/settings';

export const METRICS = [
  /** Share of trajectories that reached their goal. */
  'successRate',
  /** The same of each world of a mixture; undefined where it is not among them, or had no trajectory in this update. */
  'gridworldSuccess',
  'calculatorSuccess',
  'shopSuccess',
  'terminalSuccess',
  /** Mean reward over trajectories: what is trained on, the weighted sum of its parts. */
  'return',
  /** Mean negative log-prob over all observation tokens, nats, full vocabulary, temperature 1; measured in every arm. */
  'observationCrossEntropy',
  /**
   * What no model could know of these observations, mean over observation tokens, nats: where the cross-entropy ends.
   * Undefined where the environment cannot compute it.
   */
  'observationFloor',
  /** Mean entropy over action tokens, nats, restricted to legal tokens where decoding is. */
  'entropy',
  /** Mean k3 KL to the reference over action tokens, nats. */
  'kl',
  /** Share of action tokens whose clipped branch is active, over all inner steps; undefined where none carries a policy loss. */
  'clipFraction',
  /** Its parts: at the lower bound, at the upper bound, and capped by the dual clip. */
  'clipFractionLow',
  'clipFractionHigh',
  'clipFractionDual',
  /** Mean k3 KL of the acting policy to the running one over action tokens and all inner steps, nats. */
  'klOld',
  /** 5% and 95% quantiles of the ratio over action tokens at the last inner step; measured every few updates. */
  'ratioLow',
  'ratioHigh',
  /** Mean k3 KL the other way, reference ‖ policy (weighted by the ratio); measured every few updates. */
  'klReverse',
  /** Global norm of the gradient before clipping, first inner step. */
  'gradNorm',
  /** The same, of all terms but the world model's: policy, critic, KL and entropy; measured every few updates. */
  'policyGradNorm',
  /** The same, of the cross-entropy term alone; measured every few updates. */
  'worldModelGradNorm',
  /** Cosine of the angle between the two gradients, undefined where one is 0 or vanishes beside the other; measured every few updates. */
  'gradientCosine',
  /** Share of groups in which every trajectory failed, some did, none did. */
  'allFailedGroups',
  'mixedGroups',
  'allSolvedGroups',
  /** Share of groups that the policy gradient uses; the others a filter dropped. */
  'keptGroups',
  /** Share of groups whose rewards are all equal: nothing to learn for the policy gradient. */
  'zeroVarianceGroups',
  /** As observationCrossEntropy, over warning tokens. */
  'warningCrossEntropy',
  /** Mean weighted value loss of the critic, first inner step. */
  'valueLoss',
  /** 1 − Var(returns − values)/Var(returns) over action tokens: 1 is a perfect critic; measured every few updates. */
  'explainedVariance',
  /** Tasks played for this update, those that dynamic sampling gave up included. */
  'tasksConsumed',
  /** Mean trajectory length in tokens. */
  'trajectoryTokens',
  /** Mean turns of a trajectory. */
  'turns',
  /** Share of turns the environment complained of; mean over trajectories. */
  'warningShare',
  /** Share of turns whose action had been taken before after the same observation; mean over trajectories. */
  'repeatedActions',
  /**
   * Each part of the reward, capped, before its weight: mean over trajectories; undefined where its weight is 0 or the
   * environment does not tell. In the order of the parts.
   */
  'rewardOutcome',
  'rewardFormat',
  'rewardEfficiency',
  'rewardLength',
  'rewardOverlong',
  'rewardShaping',
  'rewardSubgoals',
  'rewardRepetition',
  /** Share of trajectories whose verdict the noisy verifier turned round; undefined without noise. */
  'verifierFlips',
  /** Share of trajectories that hindsight relabelled before they were learned from; undefined without hindsight. */
  'relabelled',
  /**
   * Mean |log-prob in training − log-prob in decoding| over action tokens: what lies between the policy that is trained and
   * the one that drew them. Numerics alone, but for staleness and for the other prompts of relabelled trajectories.
   */
  'mismatch',
  /**
   * Examinations (evaluation.ts), at some updates only. Share of sampled episodes of held-out tasks that succeed: pass@1;
   * of one greedy episode a task; chance that one of k episodes of a task does, without bias.
   */
  'heldOutSuccess',
  'heldOutGreedySuccess',
  'heldOutPassAt2',
  'heldOutPassAt4',
  'heldOutPassAt8',
  'heldOutPassAt16',
  'heldOutPassAt32',
  /** As observationCrossEntropy, over fixed held-out episodes that the scripted expert and a random policy played. */
  'heldOutCrossEntropy',
  /** Success on held-out tasks with the tool taken away, sampled and greedy. */
  'toolOffSuccess',
  'toolOffGreedySuccess',
] as const;

export type MetricName = (typeof METRICS)[number];

/** The success rate in one world of a mixture. */
export function worldSuccess(world: WorldId): `${WorldId}Success` & MetricName {
  return `${world}Success`;
}

export const METRIC = Object.fromEntries(METRICS.map((name, index) => [name, index])) as Readonly<
  Record<MetricName, number>
>;

/**
 * Rows of curves whose columns are these metrics → [rows, METRICS], flat: a metric that was not measured then is NaN, one that
 * is no more is left out. In steps of 100 rows, for whoever must not hold up the page.
 */
export function* inPresentOrder(
  values: Float32Array,
  metrics: readonly string[],
  rows: number,
): Generator<void, Float32Array> {
  if (metrics.join() === METRICS.join()) return values;
  const columns = metrics.map((metric) => METRICS.indexOf(metric as MetricName));
  const placed = new Float32Array(rows * METRICS.length).fill(Number.NaN);
  for (let row = 0; row < rows; row++) {
    columns.forEach((to, from) => {
      if (to >= 0) placed[row * METRICS.length + to] = values[row * metrics.length + from] as number;
    });
    if (row % 100 === 0) yield;
  }
  return placed;
}
