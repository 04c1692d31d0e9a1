/**
 * The metrics: one number per member and update, under the same names in curves, JSON and charts. Each is measured on the
 * update's rollouts before its optimisation, unless said otherwise. Undefined is NaN in arrays and null in JSON, never 0.
 * Hindsight relabels trajectories, and a replay puts earlier ones in their place. Metrics of episodes (success, return and
 * the reward's parts, groups failed and solved, lengths, turns, warnings, verdicts) are taken before, metrics of the loss
 * (log-probs, entropy, cross-entropy, ratios, gradients, groups kept and of equal rewards) after.
 */
import type { PartId } from '../../environments/mixture/settings';
import type { RewardPart } from '../../hyperparameters/rewards';

/**
 * Values that the arm's formulas show, in the order of its losses and their lines: means over the formula's own tokens and all
 * inner steps; undefined beyond them, and where a formula has no token.
 */
const SHOWN_NAMES = [
  'shown1',
  'shown2',
  'shown3',
  'shown4',
  'shown5',
  'shown6',
  'shown7',
  'shown8',
  'shown9',
  'shown10',
  'shown11',
  'shown12',
  'shown13',
  'shown14',
  'shown15',
  'shown16',
] as const;

export const METRICS = [
  /** Share of trajectories that reached their goal. */
  'successRate',
  /** Success rate in each world of a mixture; undefined for a world that had no trajectory in this update. */
  'gridworldSuccess',
  'calculatorSuccess',
  'shopSuccess',
  'terminalSuccess',
  'ownSuccess',
  /** Mean reward over trajectories: the weighted sum of its parts, on which the policy is trained. */
  'return',
  /** Mean negative log-prob over all observation tokens, nats, full vocabulary, temperature 1; measured in every arm. */
  'observationCrossEntropy',
  /**
   * Entropy of these observations that no model can predict, mean over observation tokens, nats: the least cross-entropy.
   * Undefined where the environment cannot compute it.
   */
  'observationFloor',
  /**
   * Mean −log p of the action, nats, full vocabulary, temperature 1, of a policy that is told what came before it and after it
   * (inverse/windows.ts), before the optimisation; undefined for arms without inverse dynamics.
   */
  'inverseCrossEntropy',
  /**
   * Mean divergence from the teacher's probabilities of all words (hyperparameters/distillation.ts), nats a token that is taught,
   * before the optimisation; undefined for arms without distillation, and where nothing was taught.
   */
  'distillation',
  /** Mean entropy over action tokens, nats, restricted to legal tokens where decoding is. */
  'entropy',
  /** Mean k3 KL to the reference over action tokens, nats; measured every few updates unless some arm's training takes it. */
  'kl',
  /** Share of action tokens in the clipped branch, over all inner steps; undefined without a policy loss or kept groups. */
  'clipFraction',
  /** Parts of clipFraction: at the lower bound, at the upper bound, and capped by the dual clip. */
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
  /**
   * Norm of the gradient of all terms but the world model's (policy, critic, KL, entropy, inverse dynamics,
   * distillation); measured every few updates.
   */
  'policyGradNorm',
  /** Norm of the gradient of the cross-entropy term alone; measured every few updates. */
  'worldModelGradNorm',
  /** Cosine of the angle between these two, undefined where one vanishes beside the other; measured every few updates. */
  'gradientCosine',
  /** Shares of groups in which every trajectory failed, some did, none did. */
  'allFailedGroups',
  'mixedGroups',
  'allSolvedGroups',
  /** Share of groups that the group filter keeps; 1 without a filter. */
  'keptGroups',
  /** Share of groups whose rewards are all equal: under GRPO all their advantages are 0. */
  'zeroVarianceGroups',
  /** Cross-entropy of warning tokens, measured as observationCrossEntropy. */
  'warningCrossEntropy',
  /** The critic's term of the loss, with its coefficient and weights, first inner step. */
  'valueLoss',
  /** 1 − Var(returns − values)/Var(returns) over action tokens: 1 is a perfect critic; measured every few updates. */
  'explainedVariance',
  /** Tasks played for this update, those that dynamic sampling gave up included. */
  'tasksConsumed',
  /** Mean trajectory length in tokens. */
  'trajectoryTokens',
  /** Mean turns of a trajectory. */
  'turns',
  /** Share of turns with a warning; mean over trajectories. */
  'warningShare',
  /** Share of turns that repeat an action after the same observation; mean over trajectories. */
  'repeatedActions',
  /**
   * Anchor states (GiGPO, arXiv 2505.10978): the turns of a group that began after the same observation are compared with each
   * other. Mean number of them, over turns; share of turns alone in theirs, which are compared with nothing.
   */
  'anchorSize',
  'anchorAlone',
  /** Most turns of an episode where a schedule caps them; undefined without one. */
  'turnCap',
  /** Mean calls of a tool in a trajectory; undefined in a world without one. */
  'toolCalls',
  /** Mean place of these calls: the turn, 1 for the first; undefined where there were none. */
  'toolCallTurn',
  /** Share of a text's words that it had said before: mean over texts with a word; undefined in a world without texts. */
  'repeatedWords',
  /** Share of texts that begin with the first word of the listener's own; undefined likewise. */
  'saidBack',
  /**
   * Parts of the reward in their order, capped, before their weights: means over trajectories. Undefined where the weight is
   * 0 or the environment cannot tell.
   */
  'rewardOutcome',
  'rewardFormat',
  'rewardEfficiency',
  'rewardLength',
  'rewardOverlong',
  'rewardShaping',
  'rewardSubgoals',
  'rewardRepetition',
  'rewardInformation',
  'rewardAgreement',
  'rewardVariety',
  'rewardCalls',
  /** Share of trajectories whose verdict the noisy verifier flipped; undefined without noise. */
  'verifierFlips',
  /** Share of trajectories that hindsight relabelled before they were learned from; undefined without hindsight. */
  'relabelled',
  /**
   * Replay of successes (replay.ts): share of the trajectories learned from that were solved in an earlier update, mean
   * number of updates since then, share of the tasks just played of which a solved episode was remembered, and number of
   * episodes remembered after the update. Undefined without replay; the age also where nothing is remembered yet.
   */
  'replayShare',
  'replayAge',
  'replayHits',
  'replayHeld',
  /**
   * Mean |log-prob in training − log-prob in decoding| over action tokens, nats: the distance between the policy that is
   * trained and the one that drew them. It is rounding alone, except for stale policies, relabelled and
   * replayed trajectories.
   */
  'mismatch',
  /**
   * Task and behaviour (taskInformation.ts), measured every few updates where asked for. I(task; behaviour), nats; share of
   * episodes whose own task is the one that their actions are likeliest under; H(behaviour | task), nats an episode.
   */
  'taskInformation',
  'taskRetrieval',
  'behaviourEntropy',
  /**
   * Examinations (evaluation.ts), at some updates only. Success rate on held-out tasks: of sampled episodes (pass@1), of one
   * greedy episode a task; then unbiased estimates of pass@k and pass^k, the probabilities that one of k episodes of a task
   * succeeds, and that all do.
   */
  'heldOutSuccess',
  'heldOutGreedySuccess',
  'heldOutPassAt2',
  'heldOutPassAt4',
  'heldOutPassAt8',
  'heldOutPassAt16',
  'heldOutPassAt32',
  'heldOutPassHat2',
  'heldOutPassHat4',
  'heldOutPassHat8',
  /**
   * Cross-entropy as observationCrossEntropy, but of fixed held-out episodes, which the scripted expert and a random policy
   * played.
   */
  'heldOutCrossEntropy',
  /** Success on held-out tasks with the tool taken away, sampled and greedy. */
  'toolOffSuccess',
  'toolOffGreedySuccess',
  /**
   * Examinations of the tool (toolExamination.ts), sampled: success on tasks that training draws from and on held-out ones, while
   * the tool answers and while it never does; shares of episodes that end with what a lying tool said, and with the right
   * answer in spite of it; and shares of episodes in which a working tool is asked.
   */
  'practisedToolUp',
  'practisedToolDown',
  'newToolUp',
  'newToolDown',
  'practisedLieFollowed',
  'practisedLieResisted',
  'newLieFollowed',
  'newLieResisted',
  'practisedToolAsked',
  'newToolAsked',
  /**
   * Examinations of texts (textExamination.ts), sampled; undefined in a world without them. Cross-entropy of ordinary texts, nats a
   * token; shares of texts that take up what is asked, on held-out tasks, and on practised ones where another listener asks.
   */
  'ordinaryCrossEntropy',
  'heldOutTakenUp',
  'otherListenerTakenUp',
  /** Weighted loss of the arm's formulas, all together, first inner step; undefined where it has none. */
  'formulaLoss',
  /**
   * Place in a formula of the first number that is not finite, at the update from which on the gradient is not; see
   * formulaFaults.ts. Undefined at all other updates.
   */
  'formulaFault',
  ...SHOWN_NAMES,
] as const;

/** Metrics of the values that an arm's formulas show. */
export const SHOWN: readonly MetricName[] = SHOWN_NAMES;

/** True for metrics that only arms with formulas have. */
export const isOfFormulas = (metric: MetricName): boolean =>
  metric === 'formulaLoss' || metric === 'formulaFault' || SHOWN.includes(metric);

export type MetricName = (typeof METRICS)[number];

/** Metrics of the reward's parts. */
export const REWARD_METRICS: Readonly<Record<RewardPart, MetricName>> = {
  outcome: 'rewardOutcome',
  format: 'rewardFormat',
  efficiency: 'rewardEfficiency',
  length: 'rewardLength',
  overlong: 'rewardOverlong',
  shaping: 'rewardShaping',
  subgoals: 'rewardSubgoals',
  repetition: 'rewardRepetition',
  information: 'rewardInformation',
  agreement: 'rewardAgreement',
  variety: 'rewardVariety',
  calls: 'rewardCalls',
};

/** The success rate in one world of a mixture. */
export function worldSuccess(world: PartId): `${PartId}Success` & MetricName {
  return `${world}Success`;
}

export const METRIC = Object.fromEntries(METRICS.map((name, index) => [name, index])) as Readonly<
  Record<MetricName, number>
>;

/**
 * Curves of another version, in today's columns: rows whose columns are `metrics` → [rows, METRICS], flat. A metric of today
 * that they lack is NaN; one that no longer exists is left out. Yields every 100 rows, so that the page can stay responsive.
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
