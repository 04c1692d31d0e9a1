/**
 * Hyperparameter columns 80 … 111: KL to the reference, and the world-model loss. Choices are stored as their index in the
 * lists below; a zero in every column is the lab's default. How strongly each part counts stands elsewhere:
 * HYPER.klCoefficient, HYPER.entropyCoefficient and the cross-entropy weight of each role, HYPER.crossEntropy + role.
 */

/** What estimates KL(policy ‖ reference) at a token, from d = log-prob − reference log-prob (joschu.net/blog/kl-approx.html). */
export const KL_ESTIMATORS = [
  /** exp(−d) + d − 1, never negative; "low_var_kl" in verl. The default of verl, TRL's only one. */
  'k3',
  /** d: without bias, negative for single tokens; "kl" in verl. As a loss its expected gradient is 0. OpenRLHF's default. */
  'k1',
  /** |d|. */
  'abs',
  /** d²/2; "mse" in verl. Its gradient is that of the exact KL in expectation. */
  'k2',
  /** exp(d) − d − 1: k3 of the opposite direction, prime-rl's mismatch KL. */
  'mismatch-k3',
] as const;

/** Where the estimate is kept within bounds; value and gradient, which is 0 outside of them. */
export const KL_CLAMPS = [
  /** d within ±20 in the two estimators that take its exp, so that float32 stays finite. The lab's own. */
  'log-ratio',
  /** As before, and then their value within ±10: verl, SkyRL. k3 stops pushing at d < −2.6 and at d > 11. */
  'log-ratio-and-value',
  /** Whatever the estimator, its value within ±10, d as it is: OpenRLHF. */
  'value',
  /** None: TRL, prime-rl. Only exp stays within what float32 holds (its argument ends at 85). */
  'none',
] as const;

/** The world-model loss of a token the environment wrote; w is its weight, p its probability, r its ratio to the policy before the update. */
export const WORLD_MODEL_FORMS = [
  /** −w·log p: ECHO (arXiv 2605.24517) and all its ports. */
  'cross-entropy',
  /**
   * −w·min(r, 1 + clip): a policy gradient with the advantage 1, as in OpenEnv's RFC 010. Its gradient equals
   * cross-entropy's while the policy has not moved, grows with r, and ends where r passes 1 + clip.
   */
  'constant-advantage',
  /** w·max(0, threshold − p): PaW (arXiv 2606.02388), reconstructed; no push on tokens already more likely than that. */
  'probability-threshold',
] as const;

/**
 * A token's weight is divided by two numbers: one of its own trajectory (or group), this list, and one of the batch, the
 * next. "Selected" tokens are those whose role has a cross-entropy weight, in the trajectories and turns chosen.
 */
export const SEQUENCE_DENOMINATORS = [
  /** 1: all tokens of the batch count alike (token mean, token sum). */
  'none',
  /** Selected tokens of the trajectory: every trajectory counts alike (verl's seq-mean-token-mean; ECHO's `selected_tokens`). */
  'selected-tokens',
  /**
   * Observation and warning tokens of the trajectory, selected or not: the more warnings, the less an observation counts
   * (ECHO's authors, `full_observation_tokens`).
   */
  'observation-tokens',
  /** A constant, worldModelLength (seq-mean-token-sum-norm; SkyRL's `max_seq_len`). */
  'length',
  /** Selected tokens of the whole group: every task counts alike (PaW, reconstructed). */
  'group-selected-tokens',
] as const;

/** The other number: of the batch. */
export const BATCH_DENOMINATORS = [
  /** Selected tokens: own count. The lab's default; prime-rl, OpenEnv on TRL, rLLM without global counts. */
  'selected-tokens',
  /** Action tokens: the world-model loss shares the policy's denominator (rLLM in training). */
  'action-tokens',
  /** Action, observation and warning tokens: one denominator for everything that was learnt from. */
  'all-tokens',
  /** All trajectories, also those without a selected token (ECHO's authors). */
  'sequences',
  /** Trajectories with selected tokens (verl). */
  'selected-sequences',
  /** Trajectories with action tokens (rLLM's managed backend). */
  'action-sequences',
  /** Groups, also those without a selected token (PaW, reconstructed). */
  'groups',
  /** worldModelDenominator, whatever the batch holds: a count over several batches or machines. */
  'given',
  /** 1: the raw sum (rLLM on tinker). */
  'none',
] as const;

/** Which trajectories the world-model loss learns from. The policy loss is not touched. */
export const WORLD_MODEL_TRAJECTORIES = ['all', 'failed', 'solved'] as const;

/** Among which turns the most uncertain are looked for. */
export const TURN_SCOPES = ['batch', 'group'] as const;

export const WORLD_MODEL_COLUMNS = {
  /** Index in KL_ESTIMATORS. */
  klEstimator: 80,
  /** 1: value of the estimator, gradient of k2 (d, never clamped): verl's trailing "+". 0: the estimator's own gradient. */
  klStraightThrough: 81,
  /** Index in KL_CLAMPS. */
  klClamp: 82,
  /**
   * 1: the estimate is multiplied by the token's ratio to the policy before the update, which is differentiated too, so
   * that it stays unbiased after the policy has moved: TRL's `use_bias_correction_kl`. 0: not.
   */
  klRatioWeighted: 83,
  /** Index in WORLD_MODEL_FORMS. */
  worldModelForm: 84,
  /** 'constant-advantage': how far above 1 the ratio may go, such as 0.2. */
  worldModelClip: 85,
  /** 'probability-threshold': ρ, where the push ends; 0.2 (read literally) or 0.8 (the other reading). */
  worldModelThreshold: 86,
  /** Index in SEQUENCE_DENOMINATORS. */
  worldModelSequenceDenominator: 87,
  /** Index in BATCH_DENOMINATORS. */
  worldModelBatchDenominator: 88,
  /** Added to every count of tokens that divides: 1e-3 in ECHO's authors' code, 1e-8 in verl's seq-mean-token-mean, else 0. */
  worldModelCountEpsilon: 89,
  /** 'length': tokens; 0 is the longest trajectory there is room for, T. */
  worldModelLength: 90,
  /** 'given': the denominator; 0 counts as 1. */
  worldModelDenominator: 91,
  /** Index in WORLD_MODEL_TRAJECTORIES. */
  worldModelTrajectories: 92,
  /** Trajectories with a smaller share of well-formed actions are left out; 0 keeps all (ECHO's `wm_filter_min_valid_tool_call_pct`). */
  worldModelMinValid: 93,
  /**
   * PaW: only what follows the share α of turns whose action was the most uncertain (mean entropy of its tokens when the
   * update began) is learnt; 0 and 1: every turn. PaW's is 0.75.
   */
  worldModelTurnShare: 94,
  /** Index in TURN_SCOPES. */
  worldModelTurnScope: 95,
  /**
   * PaW: the weight of a group is multiplied by 1 − mean reward/R, kept within 0 and 1, R being this column: the less a
   * group succeeds, the more of the world it learns. 0: no such factor.
   */
  worldModelRewardScale: 96,
} as const;
