/**
 * Hyperparameter columns 52 … 79 and 112 … 117: surrogate, ratio, aggregation, correction for decoding. Choices are stored
 * as their index in the lists below; a zero in every column is the lab's default: PPO's clip on token ratios, clamped at
 * ±20, token mean. The clip's widths stand elsewhere, HYPER.clipLow and HYPER.clipHigh, as does what a role counts.
 *
 * In the formulas x is the log-ratio of the token's segment (ratioLevel), r = exp x, A the advantage, p the token's
 * probability and p₀ what it was under the policy before the update; lo and hi are clipLow and clipHigh; sg[·] is held
 * fixed. A loss is minimised.
 */

/** The loss of a token. */
export const SURROGATES = [
  /**
   * max(−A·r, −A·clip(r, 1 − lo, 1 + hi)), for A < 0 no more than −A·ratioCap (dual clip, arXiv 1912.09729): PPO (arXiv
   * 1707.06347), GRPO, DAPO's clip-higher; GSPO, turn-level and RLOO-sequence ratios by ratioLevel. verl `vanilla` and
   * `gspo`, OpenRLHF `ppo` and `gspo`, SkyRL `regular` and `dual_clip`, TRL `grpo`, `bnpo`, `dr_grpo`, `dapo`, `luspo`.
   */
  'ppo',
  /** −A·log p. verl `gpg` and `reinforce`, rLLM `reinforce`. */
  'reinforce',
  /** −sg[clip(r, 1 − lo, 1 + hi)]·A·log p (arXiv 2506.13585); which bounds: ratioBound. verl, rLLM, SkyRL, TRL `cispo`. */
  'cispo',
  /** −A·(4/τ)·sigmoid(τ(r − 1)), τ of the sign of A (arXiv 2511.20347). verl, SkyRL, TRL `sapo`. */
  'sapo',
  /**
   * −A·exp(mean over the segment of d), d = log p − log p₀ kept within −lo … hi on the side A pushes to (GMPO, arXiv
   * 2507.20673). The segment is the trajectory where ratioLevel says token. verl `geo_mean`, lo = hi = 0.4.
   */
  'gmpo',
  /**
   * −A·sg[min(r, ratioCap)]·log p while p − p₀ ≤ hi (A > 0) or ≥ −lo (else), otherwise 0 (arXiv 2602.04879). verl and
   * rLLM `dppo_tv`; verl caps the ratio at 20, rLLM does not.
   */
  'dppo-tv',
  /** The same with the Kullback–Leibler divergence of (p₀, 1 − p₀) from (p, 1 − p) in place of |p − p₀|. `dppo_kl`. */
  'dppo-kl',
  /** −keep·A·r + ratioPenalty·x², keep as in dppo-tv: prime-rl's default, lo = hi = 0.2, ratioPenalty 1e-3. */
  'prime',
  /** As prime, keeping |p − p₀| ≤ hi whatever the sign of A: prime-rl `ipo`. */
  'ipo',
  /** −(A·log p − ratioPenalty/2·x²) (arXiv 2405.19107). verl `dro`. */
  'dro',
  /** ppo, left out on a share of the tokens whose covariance of advantage and log-prob is high (arXiv 2505.22617). `clip_cov`. */
  'clip-cov',
  /** −A·r, + ratioPenalty·|x| on the share of tokens with the highest covariance. `kl_cov`, ratioPenalty 1. */
  'kl-cov',
  /**
   * −sg[φ]·A·log p with φ = exp(λ + k·log w − λ·w), w the ratio of the whole segment (sum of log-ratios kept within ±20,
   * log w within log 1e-8 … 20, the correction for decoding a part of it) and (k, λ) of the sign of A. TRL `vespo`.
   */
  'vespo',
  /** −sg[r]·A·log p where 1 − lo ≤ r ≤ 1 + hi, else 0; with ratioBase behaviour (arXiv 2510.18855). rLLM `icepop`, 0.5 … 5. */
  'icepop',
  /**
   * −sg[clip(r, 1 − lo, 1 + hi)]·A·log p + backwardKl·KL(p₀ ‖ p) + forwardKl·KL(p ‖ p₀) in the forms of policyKlForm, with
   * ratioBase behaviour. rLLM `reinforce_kl`, whose ratio has no bounds unless given.
   */
  'reinforce-kl',
  /** −A·r, no bounds. Tinker's `importance_sampling`. */
  'importance',
] as const;

/** What shares a ratio. A segment's tokens are those whose role has a policy-gradient weight. */
export const RATIO_LEVELS = [
  'token',
  /** An action and the observation after it. */
  'turn',
  /** The trajectory: GSPO (arXiv 2507.18071), TRL `importance_sampling_level: sequence`. */
  'sequence',
] as const;

/** How a segment's log-ratio comes from its tokens'. */
export const RATIO_REDUCTIONS = [
  'mean',
  /** The ratio of the whole segment's probability: TRL's RLOO. */
  'sum',
] as const;

/** What the gradient makes of a segment's ratio. */
export const RATIO_GRADIENTS = [
  /** exp(sg[x] + log p − sg[log p]): each token has the gradient of its own loss. verl, rLLM (GSPO-token). */
  'straight-through',
  /** exp x is differentiated: a token's gradient is its share in all losses of the segment. OpenRLHF, TRL. */
  'differentiable',
] as const;

/** What the ratio is to. */
export const RATIO_BASES = [
  /** The policy before the update, by the trainer's own forward pass. */
  'old',
  /** What decoding recorded, on action tokens (other tokens have no such record): prime-rl, rLLM's icepop and reinforce_kl. */
  'behaviour',
] as const;

/** How far a log-ratio may go before exp; the gradient is 1 inside and on the edge, 0 outside. */
export const LOG_RATIO_CLAMPS = [
  /** ±20: verl, rLLM, OpenRLHF's ppo. */
  'within-20',
  /** Nowhere, except that exp takes no more than 80, so that float32 stays finite: TRL, prime-rl, verl's gmpo and covariance losses. */
  'none',
  /** At most 10: the segment's log-ratio in verl's and rLLM's GSPO. */
  'below-10',
] as const;

/** The bounds of cispo's ratio. */
export const RATIO_BOUNDS = [
  /** 1 − clipLow … 1 + clipHigh. */
  'relative',
  /** None below, clipHigh itself above: TRL. */
  'absolute-above',
] as const;

/** KL terms of reinforce-kl. */
export const POLICY_KL_FORMS = [
  /** −log p and sg[r·log r]·log p: their gradients are the exact ones in expectation, their values are no estimates. */
  'exact-gradient',
  /** r − 1 − log r and r·log r − r + 1, differentiated (joschu.net/blog/kl-approx.html). */
  'estimator',
] as const;

/**
 * What the losses ℓ of a batch become, m the tokens with a policy-gradient weight, n_b their number in trajectory b, N in
 * the batch, S the number of trajectories. Trajectories of dropped groups count nowhere; those that are not usable
 * count as having no tokens.
 */
export const AGGREGATIONS = [
  /** Σ ℓ/N (DAPO). verl and SkyRL `token-mean`, OpenRLHF `token_level_loss`, prime-rl, TRL `bnpo`, `dapo`, `cispo`, `vespo`. */
  'token-mean',
  /** Σ ℓ. verl `token-sum`. */
  'token-sum',
  /** Σ_b (Σ_t ℓ/n_b)/S (GRPO). verl, TRL `grpo` and `sapo` and SkyRL `sequence_mean` with S of all trajectories. */
  'seq-mean-token-mean',
  /** Σ_b (Σ_t ℓ)/S. verl; TRL `luspo` with S of all trajectories and ratios of the sequence. */
  'seq-mean-token-sum',
  /** Σ_b (Σ_t ℓ)/(S·L) (Dr. GRPO). verl, TRL `dr_grpo` and SkyRL with S of all trajectories. */
  'seq-mean-token-sum-norm',
] as const;

/** What S counts. */
export const COUNTED_SEQUENCES = [
  /** Trajectories with at least one such token: verl. */
  'with-tokens',
  /** All: TRL, SkyRL, verl's gmpo. */
  'all',
] as const;

/**
 * What a token's loss is multiplied by because decoding and training do not give the same log-probs: c = exp(Σ or mean
 * or the token's own log p₀ − log-prob recorded by decoding) by decodingLevel, on action tokens. vespo takes it into w.
 */
export const DECODING_CORRECTIONS = [
  'none',
  /** c kept within decodingLow … decodingHigh: TIS (low 0), OpenRLHF `tis`, TRL `token_truncate`, `sequence_truncate`, verl. */
  'truncate',
  /** c, and 0 outside: IcePop, OpenRLHF `icepop`, TRL `token_mask`, `sequence_mask`. */
  'mask',
  /** The token's own c, and 0 on trajectories whose geometric mean of c is outside: OpenRLHF `seq-mask-tis`. */
  'sequence-mask',
] as const;

/** Whose c. */
export const DECODING_LEVELS = [
  'token',
  /** Product over the trajectory's action tokens: TRL, verl `sequence`. */
  'sequence',
  /** Geometric mean over them: verl's gmpo. */
  'geometric',
] as const;

export const POLICY_COLUMNS = {
  /** Index in SURROGATES. */
  surrogate: 52,
  /** Index in RATIO_LEVELS. */
  ratioLevel: 53,
  /** Index in RATIO_REDUCTIONS. */
  ratioReduction: 54,
  /** Index in RATIO_GRADIENTS. */
  ratioGradient: 55,
  /** Index in RATIO_BASES. */
  ratioBase: 56,
  /** Index in LOG_RATIO_CLAMPS. */
  logRatioClamp: 57,
  /** Index in RATIO_BOUNDS. */
  ratioBound: 58,
  /**
   * ppo: the dual clip's c > 1 (verl's `clip_ratio_c`, 3; TRL's `delta`). dppo-tv, dppo-kl: the largest ratio (verl 20).
   * 0: none.
   */
  ratioCap: 59,
  /** sapo: τ where A > 0; 0 is 1. */
  sapoPositive: 60,
  /** sapo: τ elsewhere; 0 is 1.05. */
  sapoNegative: 61,
  /** dro: β. prime, ipo: weight of x² (`kl_tau`, 1e-3). kl-cov: weight of |x| (`ppo_kl_coef`, 1). */
  ratioPenalty: 62,
  /** reinforce-kl: weight of KL(p₀ ‖ p), such as 0.0025. */
  backwardKl: 63,
  /** reinforce-kl: weight of KL(p ‖ p₀). */
  forwardKl: 64,
  /** reinforce-kl: index in POLICY_KL_FORMS. */
  policyKlForm: 65,
  /** clip-cov, kl-cov: share of the tokens, at least one of them (`clip_cov_ratio` 2e-4, `kl_cov_ratio` 2e-3). */
  covarianceShare: 66,
  /** clip-cov: covariances between these two are candidates (`clip_cov_lb` 1, `clip_cov_ub` 5). */
  covarianceLow: 67,
  covarianceHigh: 68,
  /** Only this share of the tokens, those of highest entropy, keep their loss; 0 and 1: all (TRL's `top_entropy_quantile`). */
  entropyShare: 69,
  /**
   * A trajectory with A < 0 keeps its loss only while the mean of (recorded log-prob − log p) over its tokens is no more
   * than this; 0: always (TRL's `off_policy_mask_threshold`).
   */
  offPolicyLimit: 70,
  /** ε of the value loss's clip; 0: none (verl's `cliprange_value`, 0.5). */
  valueClip: 71,
  /** Index in AGGREGATIONS. */
  aggregation: 72,
  /** Index in COUNTED_SEQUENCES. */
  countedSequences: 73,
  /** N where the batch is a part of a larger one; 0: own count (verl's `batch_num_tokens`, TRL's `num_items_in_batch`). */
  tokenDenominator: 74,
  /** S likewise (verl's `global_batch_size`). */
  sequenceDenominator: 75,
  /** L; 0 is T (verl's `loss_scale_factor`, TRL's `max_completion_length`, SkyRL's `max_seq_len`). */
  lengthDenominator: 76,
  /** What the whole loss is multiplied by; 0 is 1 (verl's `dp_size`, 1/`gradient_accumulation_steps`). */
  lossScale: 77,
  /** Index in DECODING_CORRECTIONS. */
  decodingCorrection: 78,
  /** Index in DECODING_LEVELS. */
  decodingLevel: 79,
  /** Bounds of c; decodingHigh 0: no upper bound (TIS 2, TRL 3, OpenRLHF 0.5 … 5). */
  decodingLow: 112,
  decodingHigh: 113,
  /** vespo where A ≥ 0: k (0 is 2) and λ (0 is 3). */
  vespoPowerPositive: 114,
  vespoScalePositive: 115,
  /** vespo elsewhere: k (0 is 3) and λ (0 is 2). */
  vespoPowerNegative: 116,
  vespoScaleNegative: 117,
} as const;
