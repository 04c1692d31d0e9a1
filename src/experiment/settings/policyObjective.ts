/**
 * The policy-gradient loss: surrogate, ratio, aggregation, correction for decoding. Choices stand in the order of the lists
 * in tensor/columns/policy.ts, where each is explained; a test compares the two.
 */
import { choice, integer, real } from './define';

/** Numbers that do something only when the surrogate is theirs. */
const factor = (label: string, help: string, initial: number) =>
  real({ label, help, default: initial, min: 0.01, max: 100, soft: [0.1, 10], scale: 'log', step: 1.1 });

const SURROGATE = {
  surrogate: choice(
    'Surrogate',
    'The loss of one token, from its ratio to the old policy and its advantage; the formula above shows the one chosen.',
    {
      ppo: 'PPO clip (GRPO, DAPO, GSPO)',
      reinforce: 'REINFORCE (GPG)',
      cispo: 'CISPO',
      sapo: 'SAPO',
      gmpo: 'GMPO',
      'dppo-tv': 'DPPO, total variation',
      'dppo-kl': 'DPPO, KL',
      prime: 'prime-rl’s DPPO',
      ipo: 'prime-rl’s IPO',
      dro: 'DRO',
      'clip-cov': 'Clip-Cov',
      'kl-cov': 'KL-Cov',
      vespo: 'VESPO',
      icepop: 'IcePop',
      'reinforce-kl': 'REINFORCE with KL (rLLM)',
      importance: 'importance sampling, no bounds',
    },
  ),
  clipLow: real({
    label: 'Clip below',
    help: 'How far an action’s ratio may fall under 1 before its gradient stops; in DPPO and prime-rl, how far its probability may fall.',
    default: 0.2,
    min: 0,
    max: 1,
    soft: [0, 0.5],
    step: 0.01,
  }),
  clipHigh: real({
    label: 'Clip above',
    help: 'How far an action’s ratio may rise over 1 before its gradient stops; DAPO takes 0.28, CISPO in ScaleRL 5.',
    default: 0.2,
    min: 0,
    max: 100,
    soft: [0, 1],
    step: 0.01,
  }),
  ratioCap: real({
    label: 'Largest ratio',
    help: 'Dual clip: bounds the loss where the advantage is negative (verl 3, TRL’s delta); in DPPO the largest ratio (verl 20); 0 is none.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 20],
    step: 0.5,
  }),
  ratioBound: choice(
    'Bounds of CISPO',
    'How CISPO bounds the ratio: verl around 1 on both sides, TRL only from above, by “clip above” itself.',
    { relative: '1 − below … 1 + above (verl)', 'absolute-above': 'at most “clip above” (TRL)' },
  ),
  sapoPositive: factor('SAPO τ, positive', 'How sharply SAPO’s gate closes where the advantage is positive.', 1),
  sapoNegative: factor('SAPO τ, negative', 'How sharply SAPO’s gate closes where the advantage is not positive.', 1.05),
  ratioPenalty: real({
    label: 'Ratio penalty',
    help: 'Weight of the squared log-ratio in prime-rl’s losses (0.001) and DRO (β), or of its size in KL-Cov (1).',
    default: 0.001,
    min: 0,
    max: 100,
    soft: [0.0001, 10],
    scale: 'log',
    step: 1.1,
  }),
  backwardKl: real({
    label: 'KL(old ‖ new)',
    help: 'Weight of the divergence from the old policy to the new one in rLLM’s REINFORCE with KL.',
    default: 0.0025,
    min: 0,
    max: 10,
    soft: [0, 0.1],
    step: 0.0025,
  }),
  forwardKl: real({
    label: 'KL(new ‖ old)',
    help: 'Weight of the divergence from the new policy to the old one in rLLM’s REINFORCE with KL.',
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 0.1],
    step: 0.0025,
  }),
  policyKlForm: choice(
    'Form of these KL terms',
    'Either the gradient is exact on average, or the value estimates the divergence and is differentiated.',
    { 'exact-gradient': 'exact gradient', estimator: 'differentiated estimate' },
  ),
  covarianceShare: real({
    label: 'Share by covariance',
    help: 'Share of tokens picked by the covariance of advantage and log-prob: 0.0002 in Clip-Cov, 0.002 in KL-Cov; at least one token.',
    default: 0.002,
    min: 0,
    max: 1,
    soft: [0.0001, 0.1],
    scale: 'log',
    step: 1.1,
  }),
  covarianceLow: real({
    label: 'Covariance from',
    help: 'Clip-Cov drops tokens whose covariance is above this.',
    default: 1,
    min: -1000,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
  }),
  covarianceHigh: real({
    label: 'Covariance to',
    help: 'Clip-Cov drops tokens whose covariance is below this.',
    default: 5,
    min: -1000,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
  }),
  vespoPowerPositive: factor(
    'VESPO k, positive',
    'Power of the ratio in VESPO’s weight where the advantage is not negative.',
    2,
  ),
  vespoScalePositive: factor(
    'VESPO λ, positive',
    'Decay with the ratio in VESPO’s weight where the advantage is not negative.',
    3,
  ),
  vespoPowerNegative: factor(
    'VESPO k, negative',
    'Power of the ratio in VESPO’s weight where the advantage is negative.',
    3,
  ),
  vespoScaleNegative: factor(
    'VESPO λ, negative',
    'Decay with the ratio in VESPO’s weight where the advantage is negative.',
    2,
  ),
} as const;

const RATIO = {
  ratioLevel: choice(
    'Ratio of',
    'What shares one ratio: GRPO takes each token by itself, GSPO the whole trajectory; a turn lies between.',
    { token: 'each token', turn: 'each turn', sequence: 'the trajectory (GSPO)' },
  ),
  ratioReduction: choice(
    'Log-ratios are',
    'How the log-ratio of a turn or trajectory comes from its tokens: GSPO takes their mean, TRL’s RLOO their sum.',
    { mean: 'averaged (GSPO)', sum: 'summed (RLOO)' },
  ),
  ratioGradient: choice(
    'Gradient of the ratio',
    'What a shared ratio passes on: verl gives each token the gradient of its own loss, OpenRLHF and TRL differentiate the ratio itself.',
    { 'straight-through': 'token by token (verl)', differentiable: 'through the shared ratio (TRL)' },
  ),
  ratioBase: choice(
    'Ratio to',
    'What the ratio compares with: the trainer’s own pass before the update, or what decoding recorded (prime-rl, IcePop).',
    { old: 'the policy before the update', behaviour: 'what decoding recorded' },
  ),
  logRatioClamp: choice(
    'Log-ratio clamp',
    'How far a log-ratio may go before it is exponentiated: verl ±20, its GSPO at most 10, TRL and prime-rl anywhere.',
    { 'within-20': '±20 (verl)', none: 'none (TRL)', 'below-10': 'at most 10 (verl’s GSPO)' },
  ),
} as const;

const AGGREGATION = {
  aggregation: choice(
    'Aggregation',
    'How the losses of tokens become one: DAPO averages all tokens, GRPO each trajectory first, Dr. GRPO divides by a fixed length.',
    {
      'token-mean': 'token mean (DAPO)',
      'token-sum': 'token sum',
      'seq-mean-token-mean': 'mean of trajectories’ means (GRPO)',
      'seq-mean-token-sum': 'mean of trajectories’ sums',
      'seq-mean-token-sum-norm': 'sums over a fixed length (Dr. GRPO)',
    },
  ),
  countedSequences: choice(
    'Counted trajectories',
    'Whether trajectories without such a token count in the mean: verl leaves them out, TRL and SkyRL count all.',
    { 'with-tokens': 'with tokens (verl)', all: 'all (TRL)' },
  ),
  lengthDenominator: integer({
    label: 'Fixed length L',
    help: 'Tokens each trajectory counts as in Dr. GRPO’s aggregation; 0 is the longest there is room for.',
    default: 0,
    min: 0,
    max: 1_000_000,
    soft: [0, 256],
    restart: null,
  }),
  lossScale: real({
    label: 'Loss scale',
    help: 'Multiplies the policy loss with its regularisers, as the number of workers does in verl.',
    default: 1,
    min: 0.0001,
    max: 10_000,
    soft: [0.01, 100],
    scale: 'log',
    step: 1.1,
  }),
  entropyShare: real({
    label: 'Share by entropy',
    help: 'Only this share of the tokens, those of highest entropy, keep their loss; 1 keeps all (TRL’s top_entropy_quantile).',
    default: 1,
    min: 0.01,
    max: 1,
    soft: [0.05, 1],
    step: 0.05,
  }),
  offPolicyLimit: real({
    label: 'Off-policy limit',
    help: 'Drops failed trajectories that have become this much less likely, in nats per token, since they were sampled; 0 keeps all (TRL).',
    default: 0,
    min: 0,
    max: 100,
    soft: [0, 5],
    step: 0.1,
  }),
  decodingCorrection: choice(
    'Correction for decoding',
    'What is done about decoding and training disagreeing on log-probs: TIS truncates their ratio, IcePop drops tokens outside of bounds.',
    {
      none: 'none',
      truncate: 'truncate (TIS)',
      mask: 'drop outside (IcePop)',
      'sequence-mask': 'drop trajectories (OpenRLHF)',
    },
  ),
  decodingLevel: choice(
    'Corrected per',
    'Whether each token is corrected by itself or by its trajectory’s product or geometric mean.',
    { token: 'token', sequence: 'trajectory, product', geometric: 'trajectory, geometric mean' },
  ),
  decodingLow: real({
    label: 'Correction from',
    help: 'Lower bound of the correction: 0 in TIS, 0.5 in OpenRLHF.',
    default: 0,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
  }),
  decodingHigh: real({
    label: 'Correction to',
    help: 'Upper bound of the correction: 2 in TIS, 3 in TRL, 5 in OpenRLHF; 0 is none.',
    default: 2,
    min: 0,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
  }),
} as const;

export const POLICY_OBJECTIVE = { ...SURROGATE, ...RATIO, ...AGGREGATION } as const;

export const CRITIC = {
  valueCoefficient: real({
    label: 'Value loss weight',
    help: 'Trains the critic: what the value loss counts beside the policy’s, 0.5 in much PPO code; 0 trains none.',
    default: 0,
    min: 0,
    max: 100,
    soft: [0, 2],
    step: 0.05,
  }),
  valueClip: real({
    label: 'Value clip',
    help: 'How far a value may move from the old one before its loss stops falling: 0.5 in verl; 0 is none.',
    default: 0,
    min: 0,
    max: 1000,
    soft: [0, 2],
    step: 0.05,
  }),
} as const;
