/** The ratio of a token's probability to its old one: the segment that shares it, its form and its gradient. */
import { EXPONENT } from './exponents';
import { both, type Condition, choice, isOneOf, not } from './setting';
import { surrogate } from './surrogate';

const takesRatio: Condition = not(isOneOf(surrogate, 'reinforce'));
/** True if the surrogate itself says how a segment's log-ratios combine. */
const hasOwnSegment: Condition = isOneOf(surrogate, 'gmpo', 'vespo');
/** True if the surrogate's own text says which parts are differentiated. */
const isDetached: Condition = isOneOf(
  surrogate,
  'cispo',
  'dppo-tv',
  'dppo-kl',
  'icepop',
  'reinforce-kl',
  'vespo',
  'gmpo',
);

/** Segment that shares a ratio. A segment's tokens are those whose role has a policy-gradient weight. */
const ratioLevel = choice(
  'Ratio of',
  'What shares one ratio: GRPO takes each token by itself, GSPO the whole trajectory; a turn lies between.',
  {
    token: 'each token',
    /** An action and the observation after it. */
    turn: 'each turn',
    /** The trajectory: GSPO (arXiv 2507.18071), TRL `importance_sampling_level: sequence`. */
    sequence: 'the trajectory (GSPO)',
  },
  { when: takesRatio },
);

const isShared: Condition = both(takesRatio, not(isOneOf(ratioLevel, 'token')));

/** Least and most of a log-ratio before exp by `logRatioClamp`. */
export const RATIO_BOUNDS = {
  'within-20': [-EXPONENT.logRatio, EXPONENT.logRatio],
  none: [Number.NEGATIVE_INFINITY, EXPONENT.ratio],
  'below-10': [Number.NEGATIVE_INFINITY, EXPONENT.segment],
} as const;

export const RATIO = {
  ratioLevel,
  /** Log-ratio of a segment, from those of its tokens. */
  ratioReduction: choice(
    'Log-ratios are',
    'How the log-ratio of a turn or trajectory comes from its tokens: GSPO takes their mean, TRL’s RLOO their sum.',
    {
      mean: 'averaged (GSPO)',
      /** The ratio of the whole segment's probability: TRL's RLOO. */
      sum: 'summed (RLOO)',
    },
    { when: both(isShared, not(hasOwnSegment)) },
  ),
  /** Gradient through a segment's ratio. */
  ratioGradient: choice(
    'Gradient of the ratio',
    'What a shared ratio passes on: verl gives each token the gradient of its own loss, OpenRLHF and TRL differentiate the ratio itself.',
    {
      /** exp(sg[x] + log p − sg[log p]): each token has the gradient of its own loss. verl, rLLM (GSPO-token). */
      'straight-through': 'token by token (verl)',
      /** exp x is differentiated: a token's gradient is its share in all losses of the segment. OpenRLHF, TRL. */
      differentiable: 'through the shared ratio (TRL)',
    },
    { when: both(isShared, not(isDetached)) },
  ),
  /** Denominator of the ratio: the policy it compares with. */
  ratioBase: choice(
    'Ratio to',
    'What the ratio compares with: the trainer’s own pass before the update, or what decoding recorded (prime-rl, IcePop).',
    {
      /** The policy before the update, by the trainer's own forward pass. */
      old: 'the policy before the update',
      /** The policy that drew an action, as recorded; other tokens: old. prime-rl, rLLM's icepop, reinforce_kl. */
      behaviour: 'what decoding recorded',
    },
    { when: takesRatio },
  ),
  /** Bounds of a log-ratio before exp; the gradient is 1 inside and on the edge, 0 outside. */
  logRatioClamp: choice(
    'Log-ratio clamp',
    'How far a log-ratio may go before it is exponentiated: verl ±20, its GSPO at most 10, TRL and prime-rl anywhere.',
    {
      /** ±20: verl, rLLM, OpenRLHF's ppo. */
      'within-20': '±20 (verl)',
      /** None; exp's argument ends at 80, so float32 stays finite: TRL, prime-rl, verl's gmpo, covariance losses. */
      none: 'none (TRL)',
      /** Upper bound 10 alone: the segment's log-ratio in verl's and rLLM's GSPO. */
      'below-10': 'at most 10 (verl’s GSPO)',
    },
    { when: both(takesRatio, not(isOneOf(surrogate, 'vespo'))) },
  ),
} as const;
