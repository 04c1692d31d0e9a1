/** The surrogate with all its numbers; those that one surrogate alone reads are declared here. */
import { type Condition, choice, isOneOf, real } from './setting';
import { backwardKl, clipHigh, clipLow, forwardKl, ratioBound, ratioCap, ratioPenalty, surrogate } from './surrogate';

/** Positive number that one surrogate reads. */
const factor = (label: string, help: string, initial: number, when: Condition) =>
  real({ label, help, default: initial, min: 0.01, max: 100, soft: [0.1, 10], scale: 'log', step: 1.1, when });

export const SURROGATE = {
  surrogate,
  clipLow,
  clipHigh,
  ratioCap,
  ratioBound,
  /** sapo: τ where A > 0. */
  sapoPositive: factor(
    'SAPO τ, positive',
    'How sharply SAPO’s gate closes where the advantage is positive.',
    1,
    isOneOf(surrogate, 'sapo'),
  ),
  /** sapo: τ elsewhere. */
  sapoNegative: factor(
    'SAPO τ, negative',
    'How sharply SAPO’s gate closes where the advantage is not positive.',
    1.05,
    isOneOf(surrogate, 'sapo'),
  ),
  ratioPenalty,
  backwardKl,
  forwardKl,
  /** Form of reinforce-kl's KL terms. */
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
  /** vespo where A ≥ 0: k and λ. */
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
  /** vespo elsewhere: k and λ. */
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
