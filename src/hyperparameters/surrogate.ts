/**
 * The policy-gradient loss of one token: its surrogate with its sources, and the surrogate's numbers. What each comes to
 * stands once, as a text: surrogateTexts.ts.
 */
import { both, type Condition, choice, either, isOneOf, type NumberSetting, not, real } from './setting';

/** Loss of a token. */
export const surrogate = choice(
  'Surrogate',
  'The loss of one token, from its ratio to the old policy and its advantage; the formula above shows the one chosen.',
  {
    /**
     * PPO (arXiv 1707.06347), GRPO, DAPO's clip-higher; with ratioCap the dual clip (arXiv 1912.09729); GSPO, turn-level and
     * RLOO-sequence ratios by ratioLevel. verl `vanilla` and `gspo`, OpenRLHF `ppo` and `gspo`, SkyRL `regular` and
     * `dual_clip`, TRL `grpo`, `bnpo`, `dr_grpo`, `dapo`, `luspo`.
     */
    ppo: 'PPO clip (GRPO, DAPO, GSPO)',
    /** verl `gpg` and `reinforce`, rLLM `reinforce`. */
    reinforce: 'REINFORCE (GPG)',
    /** arXiv 2506.13585, bounds: ratioBound. verl, rLLM, SkyRL, TRL `cispo`. */
    cispo: 'CISPO',
    /** arXiv 2511.20347. verl, SkyRL, TRL `sapo`. */
    sapo: 'SAPO',
    /**
     * The ratio is exp of the mean over the segment of d, d = log p − log p₀ kept within −clipLow … clipHigh on the side A
     * pushes to (arXiv 2507.20673). The segment is the trajectory where ratioLevel says token. verl `geo_mean`, both 0.4.
     */
    gmpo: 'GMPO',
    /** arXiv 2602.04879. verl and rLLM `dppo_tv`; verl caps the ratio at 20, rLLM does not. */
    'dppo-tv': 'DPPO, total variation',
    /** DPPO with the KL in place of total variation (arXiv 2602.04879): `dppo_kl`. */
    'dppo-kl': 'DPPO, KL',
    /** prime-rl's default, clipLow = clipHigh = 0.2, ratioPenalty 1e-3. */
    prime: 'prime-rl’s DPPO',
    /** Loss of prime-rl's `ipo`. */
    ipo: 'prime-rl’s IPO',
    /** Direct reward optimisation (arXiv 2405.19107): verl's `dro`. */
    dro: 'DRO',
    /**
     * ppo, left out on a share of the tokens whose covariance of advantage and log-prob is high (arXiv 2505.22617). `clip_cov`.
     */
    'clip-cov': 'Clip-Cov',
    /** The penalty is on the share of tokens with the highest covariance. `kl_cov`, ratioPenalty 1. */
    'kl-cov': 'KL-Cov',
    /**
     * The ratio is the whole segment's: a sum of log-ratios kept within ±20, itself within log 1e-8 … 20, the correction for
     * decoding a part of it. TRL `vespo`.
     */
    vespo: 'VESPO',
    /** With ratioBase behaviour (arXiv 2510.18855). rLLM `icepop`, 0.5 … 5. */
    icepop: 'IcePop',
    /**
     * KL from p₀ and to it, in the form that policyKlForm names; ratioBase is `behaviour`. rLLM's `reinforce_kl`, whose ratio
     * has no bounds unless they are given.
     */
    'reinforce-kl': 'REINFORCE with KL (rLLM)',
    /** Ratio without bounds: Tinker's `importance_sampling`. */
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

const isCispo: Condition = isOneOf(surrogate, 'cispo');

/** Bounds of cispo's ratio. */
export const ratioBound = choice(
  'Bounds of CISPO',
  'How CISPO bounds the ratio: verl around 1 on both sides, TRL only from above, by “clip above” itself.',
  {
    /** 1 − clipLow … 1 + clipHigh. */
    relative: '1 − below … 1 + above (verl)',
    /** None below, clipHigh itself above: TRL. */
    'absolute-above': 'at most “clip above” (TRL)',
  },
  { when: isCispo },
);

/** True if only clipHigh bounds the ratio. */
const isBoundedAbove: Condition = either(
  isOneOf(surrogate, 'ipo'),
  both(isCispo, isOneOf(ratioBound, 'absolute-above')),
);

export const clipLow: NumberSetting = real({
  label: 'Clip below',
  help: 'How much less likely than before an action may become until its push stops: with PPO, 0.2 is down to 0.8 times. CISPO bounds the push, DPPO and prime-rl a difference of probabilities.',
  default: 0.2,
  min: 0,
  max: 1,
  soft: [0, 0.5],
  step: 0.01,
  when: both(isBounded, not(isBoundedAbove)),
});

export const clipHigh: NumberSetting = real({
  label: 'Clip above',
  help: 'How much more likely than before an action may become until its push stops: with PPO, 0.2 is up to 1.2 times. CISPO bounds the push, DPPO and prime-rl a difference of probabilities.',
  default: 0.2,
  min: 0,
  max: 100,
  soft: [0, 1],
  step: 0.01,
  when: isBounded,
});

/**
 * ppo: the dual clip's c > 1 (verl's `clip_ratio_c`, 3; TRL's `delta`). dppo-tv, dppo-kl: the largest ratio (verl 20).
 * 0: none.
 */
export const ratioCap: NumberSetting = real({
  label: 'Largest ratio',
  help: 'Dual clip: bounds the loss where the advantage is negative (verl 3, TRL’s delta); in DPPO the largest ratio (verl 20); 0 is none.',
  default: 0,
  min: 0,
  max: 1000,
  soft: [0, 20],
  step: 0.5,
  when: isOneOf(surrogate, 'ppo', 'clip-cov', 'dppo-tv', 'dppo-kl'),
});

/** dro: β. prime, ipo: weight of x² (`kl_tau`, 1e-3). kl-cov: weight of |x| (`ppo_kl_coef`, 1). */
export const ratioPenalty: NumberSetting = real({
  label: 'Ratio penalty',
  help: 'Weight of the squared log-ratio in prime-rl’s losses (0.001) and DRO (β), or of its size in KL-Cov (1).',
  default: 0.001,
  min: 0,
  max: 100,
  soft: [0.0001, 10],
  scale: 'log',
  step: 1.1,
  when: isOneOf(surrogate, 'prime', 'ipo', 'dro', 'kl-cov'),
});

/** reinforce-kl: weight of KL(p₀ ‖ p), such as 0.0025. */
export const backwardKl: NumberSetting = real({
  label: 'KL(old ‖ new)',
  help: 'Weight of the divergence from the old policy to the new one in rLLM’s REINFORCE with KL.',
  default: 0.0025,
  min: 0,
  max: 10,
  soft: [0, 0.1],
  step: 0.0025,
  when: isOneOf(surrogate, 'reinforce-kl'),
});

/** reinforce-kl: weight of KL(p ‖ p₀). */
export const forwardKl: NumberSetting = real({
  label: 'KL(new ‖ old)',
  help: 'Weight of the divergence from the new policy to the old one in rLLM’s REINFORCE with KL.',
  default: 0,
  min: 0,
  max: 10,
  soft: [0, 0.1],
  step: 0.0025,
  when: isOneOf(surrogate, 'reinforce-kl'),
});
