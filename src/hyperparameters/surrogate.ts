/**
 * The policy-gradient loss of one token: its surrogate, and the surrogate's numbers.
 *
 * In the formulas x is the log-ratio of the token's segment (ratioLevel), r = exp x, A the advantage, p the token's
 * probability and p₀ what it was under the policy before the update; lo and hi are clipLow and clipHigh; sg[·] is held
 * fixed. A loss is minimised.
 */
import { both, type Condition, choice, either, isOneOf, not, real } from './setting';

/** The loss of a token. */
export const surrogate = choice(
  'Surrogate',
  'The loss of one token, from its ratio to the old policy and its advantage; the formula above shows the one chosen.',
  {
    /**
     * max(−A·r, −A·clip(r, 1 − lo, 1 + hi)), for A < 0 no more than −A·ratioCap (dual clip, arXiv 1912.09729): PPO (arXiv
     * 1707.06347), GRPO, DAPO's clip-higher; GSPO, turn-level and RLOO-sequence ratios by ratioLevel. verl `vanilla` and
     * `gspo`, OpenRLHF `ppo` and `gspo`, SkyRL `regular` and `dual_clip`, TRL `grpo`, `bnpo`, `dr_grpo`, `dapo`, `luspo`.
     */
    ppo: 'PPO clip (GRPO, DAPO, GSPO)',
    /** −A·log p. verl `gpg` and `reinforce`, rLLM `reinforce`. */
    reinforce: 'REINFORCE (GPG)',
    /**
     * −sg[clip(r, 1 − lo, 1 + hi)]·A·log p (arXiv 2506.13585); which bounds: ratioBound. verl, rLLM, SkyRL, TRL `cispo`.
     */
    cispo: 'CISPO',
    /** −A·(4/τ)·sigmoid(τ(r − 1)), τ of the sign of A (arXiv 2511.20347). verl, SkyRL, TRL `sapo`. */
    sapo: 'SAPO',
    /**
     * −A·exp(mean over the segment of d), d = log p − log p₀ kept within −lo … hi on the side A pushes to (GMPO, arXiv
     * 2507.20673). The segment is the trajectory where ratioLevel says token. verl `geo_mean`, lo = hi = 0.4.
     */
    gmpo: 'GMPO',
    /**
     * −A·sg[min(r, ratioCap)]·log p while p − p₀ ≤ hi (A > 0) or ≥ −lo (else), otherwise 0 (arXiv 2602.04879). verl and
     * rLLM `dppo_tv`; verl caps the ratio at 20, rLLM does not.
     */
    'dppo-tv': 'DPPO, total variation',
    /**
     * The same with the Kullback–Leibler divergence of (p₀, 1 − p₀) from (p, 1 − p) in place of |p − p₀|. `dppo_kl`.
     */
    'dppo-kl': 'DPPO, KL',
    /** −keep·A·r + ratioPenalty·x², keep as in dppo-tv: prime-rl's default, lo = hi = 0.2, ratioPenalty 1e-3. */
    prime: 'prime-rl’s DPPO',
    /** As prime, keeping |p − p₀| ≤ hi whatever the sign of A: prime-rl `ipo`. */
    ipo: 'prime-rl’s IPO',
    /** −(A·log p − ratioPenalty/2·x²) (arXiv 2405.19107). verl `dro`. */
    dro: 'DRO',
    /**
     * ppo, left out on a share of the tokens whose covariance of advantage and log-prob is high (arXiv 2505.22617). `clip_cov`.
     */
    'clip-cov': 'Clip-Cov',
    /** −A·r, + ratioPenalty·|x| on the share of tokens with the highest covariance. `kl_cov`, ratioPenalty 1. */
    'kl-cov': 'KL-Cov',
    /**
     * −sg[φ]·A·log p with φ = exp(λ + k·log w − λ·w), w the ratio of the whole segment (sum of log-ratios kept within ±20,
     * log w within log 1e-8 … 20, the correction for decoding a part of it) and (k, λ) of the sign of A. TRL `vespo`.
     */
    vespo: 'VESPO',
    /**
     * −sg[r]·A·log p where 1 − lo ≤ r ≤ 1 + hi, else 0; with ratioBase behaviour (arXiv 2510.18855). rLLM `icepop`, 0.5 … 5.
     */
    icepop: 'IcePop',
    /**
     * −sg[clip(r, 1 − lo, 1 + hi)]·A·log p + backwardKl·KL(p₀ ‖ p) + forwardKl·KL(p ‖ p₀) in the forms of policyKlForm, with
     * ratioBase behaviour. rLLM `reinforce_kl`, whose ratio has no bounds unless given.
     */
    'reinforce-kl': 'REINFORCE with KL (rLLM)',
    /** −A·r, no bounds. Tinker's `importance_sampling`. */
    importance: 'importance sampling, no bounds',
  },
);

const isBounded: Condition = isOneOf(
  surrogate,
  'ppo',
  'cispo',
  'gmpo',
  'dppo-tv',
  'dppo-kl',
  'prime',
  'ipo',
  'clip-cov',
  'icepop',
  'reinforce-kl',
);

/** The bounds of cispo's ratio. */
const ratioBound = choice(
  'Bounds of CISPO',
  'How CISPO bounds the ratio: verl around 1 on both sides, TRL only from above, by “clip above” itself.',
  {
    /** 1 − clipLow … 1 + clipHigh. */
    relative: '1 − below … 1 + above (verl)',
    /** None below, clipHigh itself above: TRL. */
    'absolute-above': 'at most “clip above” (TRL)',
  },
  { when: isOneOf(surrogate, 'cispo') },
);

/** Bounded from above alone. */
const isBoundedAbove: Condition = either(
  isOneOf(surrogate, 'ipo'),
  both(isOneOf(surrogate, 'cispo'), isOneOf(ratioBound, 'absolute-above')),
);

/** Numbers that do something only when the surrogate is theirs. */
const factor = (label: string, help: string, initial: number, when: Condition) =>
  real({ label, help, default: initial, min: 0.01, max: 100, soft: [0.1, 10], scale: 'log', step: 1.1, when });

export const SURROGATE = {
  surrogate,
  clipLow: real({
    label: 'Clip below',
    help: 'How far an action’s ratio may fall under 1 before its gradient stops; in DPPO and prime-rl, how far its probability may fall.',
    default: 0.2,
    min: 0,
    max: 1,
    soft: [0, 0.5],
    step: 0.01,
    when: both(isBounded, not(isBoundedAbove)),
  }),
  clipHigh: real({
    label: 'Clip above',
    help: 'How far an action’s ratio may rise over 1 before its gradient stops; DAPO takes 0.28, CISPO in ScaleRL 5.',
    default: 0.2,
    min: 0,
    max: 100,
    soft: [0, 1],
    step: 0.01,
    when: isBounded,
  }),
  /**
   * ppo: the dual clip's c > 1 (verl's `clip_ratio_c`, 3; TRL's `delta`). dppo-tv, dppo-kl: the largest ratio (verl 20).
   * 0: none.
   */
  ratioCap: real({
    label: 'Largest ratio',
    help: 'Dual clip: bounds the loss where the advantage is negative (verl 3, TRL’s delta); in DPPO the largest ratio (verl 20); 0 is none.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 20],
    step: 0.5,
    when: isOneOf(surrogate, 'ppo', 'clip-cov', 'dppo-tv', 'dppo-kl'),
  }),
  ratioBound,
  /** sapo: τ where A > 0; 0 is 1. */
  sapoPositive: factor(
    'SAPO τ, positive',
    'How sharply SAPO’s gate closes where the advantage is positive.',
    1,
    isOneOf(surrogate, 'sapo'),
  ),
  /** sapo: τ elsewhere; 0 is 1.05. */
  sapoNegative: factor(
    'SAPO τ, negative',
    'How sharply SAPO’s gate closes where the advantage is not positive.',
    1.05,
    isOneOf(surrogate, 'sapo'),
  ),
  /** dro: β. prime, ipo: weight of x² (`kl_tau`, 1e-3). kl-cov: weight of |x| (`ppo_kl_coef`, 1). */
  ratioPenalty: real({
    label: 'Ratio penalty',
    help: 'Weight of the squared log-ratio in prime-rl’s losses (0.001) and DRO (β), or of its size in KL-Cov (1).',
    default: 0.001,
    min: 0,
    max: 100,
    soft: [0.0001, 10],
    scale: 'log',
    step: 1.1,
    when: isOneOf(surrogate, 'prime', 'ipo', 'dro', 'kl-cov'),
  }),
  /** reinforce-kl: weight of KL(p₀ ‖ p), such as 0.0025. */
  backwardKl: real({
    label: 'KL(old ‖ new)',
    help: 'Weight of the divergence from the old policy to the new one in rLLM’s REINFORCE with KL.',
    default: 0.0025,
    min: 0,
    max: 10,
    soft: [0, 0.1],
    step: 0.0025,
    when: isOneOf(surrogate, 'reinforce-kl'),
  }),
  /** reinforce-kl: weight of KL(p ‖ p₀). */
  forwardKl: real({
    label: 'KL(new ‖ old)',
    help: 'Weight of the divergence from the new policy to the old one in rLLM’s REINFORCE with KL.',
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 0.1],
    step: 0.0025,
    when: isOneOf(surrogate, 'reinforce-kl'),
  }),
  /**
   * KL terms of reinforce-kl.
   * reinforce-kl:
   */
  policyKlForm: choice(
    'Form of these KL terms',
    'Either the gradient is exact on average, or the value estimates the divergence and is differentiated.',
    {
      /**
       * −log p and sg[r·log r]·log p: their gradients are the exact ones in expectation, their values are no estimates.
       */
      'exact-gradient': 'exact gradient',
      /** r − 1 − log r and r·log r − r + 1, differentiated (joschu.net/blog/kl-approx.html). */
      estimator: 'differentiated estimate',
    },
    { when: isOneOf(surrogate, 'reinforce-kl') },
  ),
  /** clip-cov, kl-cov: share of the tokens, at least one of them (`clip_cov_ratio` 2e-4, `kl_cov_ratio` 2e-3). */
  covarianceShare: real({
    label: 'Share by covariance',
    help: 'Share of tokens picked by the covariance of advantage and log-prob: 0.0002 in Clip-Cov, 0.002 in KL-Cov; at least one token.',
    default: 0.002,
    min: 0,
    max: 1,
    soft: [0.0001, 0.1],
    scale: 'log',
    step: 1.1,
    when: isOneOf(surrogate, 'clip-cov', 'kl-cov'),
  }),
  /** clip-cov: covariances between these two are candidates (`clip_cov_lb` 1, `clip_cov_ub` 5). */
  covarianceLow: real({
    label: 'Covariance from',
    help: 'Clip-Cov drops tokens whose covariance is above this.',
    default: 1,
    min: -1000,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
    when: isOneOf(surrogate, 'clip-cov'),
  }),
  covarianceHigh: real({
    label: 'Covariance to',
    help: 'Clip-Cov drops tokens whose covariance is below this.',
    default: 5,
    min: -1000,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
    when: isOneOf(surrogate, 'clip-cov'),
  }),
  /** vespo where A ≥ 0: k (0 is 2) and λ (0 is 3). */
  vespoPowerPositive: factor(
    'VESPO k, positive',
    'Power of the ratio in VESPO’s weight where the advantage is not negative.',
    2,
    isOneOf(surrogate, 'vespo'),
  ),
  vespoScalePositive: factor(
    'VESPO λ, positive',
    'Decay with the ratio in VESPO’s weight where the advantage is not negative.',
    3,
    isOneOf(surrogate, 'vespo'),
  ),
  /** vespo elsewhere: k (0 is 3) and λ (0 is 2). */
  vespoPowerNegative: factor(
    'VESPO k, negative',
    'Power of the ratio in VESPO’s weight where the advantage is negative.',
    3,
    isOneOf(surrogate, 'vespo'),
  ),
  vespoScaleNegative: factor(
    'VESPO λ, negative',
    'Decay with the ratio in VESPO’s weight where the advantage is negative.',
    2,
    isOneOf(surrogate, 'vespo'),
  ),
} as const;
