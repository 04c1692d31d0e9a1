/** Columns of the tables that describe a whole batch, trajectory by trajectory and group by group. */
import { REWARD_PART_IDS } from '../hyperparameters/rewards';

/** Role of a position that is no target: position 0, and all positions past a trajectory's end. */
export const NO_ROLE = 15;

/** Outcome of a trajectory, from the host when it has ended: f32 [P, B, OUTCOME_COLUMNS]. */
export const OUTCOME = {
  /** Reward of the greedy trajectory of the same task (ReMax); 0 where none was made. */
  baseline: 0,
  /** 1 if the goal was reached, else 0. */
  solved: 1,
  /** Share of well-formed actions, 0 … 1. */
  valid: 2,
  /** Index of the environment in a mixture; 0 without a mixture. */
  environment: 3,
  /** Turns taken. */
  turns: 4,
  /** 1, or 0 for a trajectory that no policy gradient may use (spoiled by its environment). */
  usable: 5,
  /** Parts of the reward, before weights: `part` … `part` + REWARD_PARTS − 1; NaN where a part could not be scored. */
  part: 8,
} as const;

export const REWARD_PARTS = REWARD_PART_IDS.length;
/** Columns of an outcome, a multiple of 4. */
export const OUTCOME_COLUMNS = 4 * Math.ceil((OUTCOME.part + REWARD_PARTS) / 4);

/** Numbers of a group, from the advantage pass: f32 [P, groups, GROUP_COLUMNS]. */
export const GROUP = {
  /** Mean reward: Σ tokenReward, or of the weighted parts; without KL, prediction reward and length penalty. */
  mean: 0,
  /** Standard deviation of the scores, in the member's form. */
  deviation: 1,
  /** 1 if all these rewards are exactly equal. */
  equal: 2,
  /** 1 if the group filter keeps the group, also without a filter; 0 if it drops it (dynamic sampling, StarPO-S). */
  kept: 3,
} as const;

export const GROUP_COLUMNS = 4;

/**
 * Per-token terms of the loss, f32 [P, R, TERM_COLUMNS], one row a target, summed over the batch for the metrics.
 * policyObjective writes policyLoss … klOld and ratio … decodingLogRatio, crossEntropyObjective mismatch, crossEntropyLoss,
 * entropy, observationNll and warningNll, regularise kl, regulariserLoss and klEstimate, valueObjective the two of values.
 */
export const TERM = {
  /** policyWeight · surrogate: adds up to the policy loss. */
  policyLoss: 0,
  /**
   * 1 where the surrogate's bound acts on the token's gradient: ppo's clipped branch strictly the larger loss, gmpo's clip
   * on the side the advantage pushes to; where dppo, prime, ipo, icepop or clip-cov leave the token out; where cispo or
   * reinforce-kl bound the ratio. Action tokens with a policy weight.
   */
  clipped: 1,
  /**
   * 1 where the ratio is below 1 − clipLow and the advantage < 0. dppo, prime, ipo, icepop: left out and advantage < 0; gmpo:
   * log-ratio outside its bounds and advantage < 0.
   */
  clippedLow: 2,
  /** 1 where the ratio is above 1 + clipHigh and the advantage > 0; the other surrogates as for clippedLow. */
  clippedHigh: 3,
  /** 1 where ratioCap acts: ppo's dual clip caps the loss; dppo caps the ratio of a token it keeps. */
  clippedDual: 4,
  /** log-prob − old log-prob on action tokens; kept within ±20 where logRatioClamp is within-20. */
  logRatio: 5,
  /** k3 estimate of KL(old ‖ new) on action tokens: exp(d) − 1 − d, d = logRatio. */
  klOld: 6,
  /** |log-prob − behaviour log-prob| on action tokens: mismatch of decoding and training (0 where not recorded). */
  mismatch: 7,
  /** crossEntropyWeight · the loss in the member’s form (−log-prob): adds up to the world-model loss. */
  crossEntropyLoss: 8,
  /** k3 estimate of KL to the reference on action tokens, log-ratio within ±20, under every estimator of the member's loss. */
  kl: 9,
  /** Entropy of the (legal) distribution on action tokens. */
  entropy: 10,
  /** Negative log-prob, full vocabulary, temperature 1, observation tokens. */
  observationNll: 11,
  /** Negative log-prob, full vocabulary, temperature 1, warning tokens. */
  warningNll: 12,
  /** KL and entropy parts of the loss with their coefficients and weights. */
  regulariserLoss: 13,
  /** valueCoefficient · actionWeight · value loss. */
  valueLoss: 14,
  /** 1 where the clipped branch of the value loss is strictly the larger. */
  valueClipped: 15,
  /** Factor of the advantage before any bound: the ratio, or vespo's φ. Action tokens with a policy weight. */
  ratio: 16,
  /** 1 where this factor is outside the surrogate's bounds, under either sign of the advantage; the same tokens. */
  outside: 17,
  /** old log-prob − behaviour log-prob on action tokens, from which the correction for decoding is made. */
  decodingLogRatio: 18,
  /** KL to the reference on action tokens, the member's estimator, its value before any coefficient or ratio. */
  klEstimate: 19,
} as const;

/** Columns of the terms, a multiple of 4. */
export const TERM_COLUMNS = 20;
