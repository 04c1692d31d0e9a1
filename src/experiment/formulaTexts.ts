/**
 * Formula texts of what an arm minimises: its surrogate, and its world-model loss, by plain functions from the arm's choices.
 * The arm's numbers are parameters. A text says the loss of a token; weights, denominators and the correction for decoding
 * stay the arm's. What no text can say is left out, and a comment says so.
 */
import type { Arm, ArmSettingPath } from './experiment';
import { findArmSetting } from './experiment';
import { isNumberSetting } from './setting';

type Lines = readonly string[];

/** The arm's policy loss. */
export function policyText(arm: Arm): string {
  const { title, lines } = SURROGATES[arm.surrogate](arm);
  return [`# ${title}`, ...missing(arm).map((what) => `# Not said here: ${what}.`), ...lines].join('\n');
}

/** The arm's prediction loss. */
export function predictionText(arm: Arm): string {
  return FORMS[arm.worldModelForm](arm).join('\n');
}

/** `param` line of one of the arm's numbers; limits are the usual range, wider where the number is. */
function param(arm: Arm, name: string, path: ArmSettingPath & keyof Arm): string {
  const setting = findArmSetting(path);
  const value = Number(arm[path]);
  const [low, high] = setting !== undefined && isNumberSetting(setting) ? setting.soft : [value, value];
  return `param ${name} = ${value} in [${Math.min(low, value)}, ${Math.max(high, value)}]`;
}

const baseOf = ({ ratioBase }: Arm): string => (ratioBase === 'behaviour' ? 'sampler_logp' : 'old_logp');

const SEGMENTS = { token: null, turn: 'turn', sequence: 'trajectory' } as const;

/** `log_ratio`, by the arm's segment, and `ratio`, by its bound. */
function ratioLines(arm: Arm): Lines {
  const own = `logp - ${baseOf(arm)}`;
  const segment = SEGMENTS[arm.ratioLevel];
  if (segment === null) return [`log_ratio = ${own}`, bounded(arm)];
  const reduced = `${arm.ratioReduction}_${segment}(${own})`;
  if (arm.ratioGradient === 'differentiable') return [`log_ratio = ${reduced}`, bounded(arm)];
  return [
    '# The value is the segment’s; each token has the slope of its own loss.',
    `log_ratio = detach(${reduced}) + logp - detach(logp)`,
    bounded(arm),
  ];
}

function bounded({ logRatioClamp }: Arm): string {
  switch (logRatioClamp) {
    case 'within-20':
      return 'ratio = exp(clip(log_ratio, -20, 20))';
    case 'below-10':
      return 'ratio = exp(min(log_ratio, 10))';
    case 'none':
      return 'ratio = exp(min(log_ratio, 80))';
  }
}

/** Change of the token's probability. */
const changeLine = (arm: Arm): string => `change = exp(logp) - exp(${baseOf(arm)})`;
const SHOW_KEPT = 'show left_out = not keep';

const sides = (arm: Arm): Lines => [param(arm, 'low', 'clipLow'), param(arm, 'high', 'clipHigh')];

interface Text {
  readonly title: string;
  readonly lines: Lines;
}

function clipped(arm: Arm): Lines {
  const capped = arm.ratioCap > 0;
  return [
    ...sides(arm),
    ...(capped ? [param(arm, 'cap', 'ratioCap')] : []),
    ...ratioLines(arm),
    `${capped ? 'gain' : 'loss'} = ${capped ? '' : '-'}min(ratio * A, clip(ratio, 1 - low, 1 + high) * A)`,
    ...(capped ? ['loss = -max(gain, cap * A) if A < 0 else -gain'] : []),
    'show clip_fraction = (A > 0 and ratio > 1 + high) or (A < 0 and ratio < 1 - low)',
  ];
}

/** −A · sg[ratio] · log p on tokens that are kept. */
function divergence(arm: Arm, keep: Lines): Lines {
  const capped = arm.ratioCap > 0;
  return [
    ...sides(arm),
    ...(capped ? [param(arm, 'cap', 'ratioCap')] : []),
    ...ratioLines(arm),
    ...keep,
    `loss = where(keep, -A * detach(${capped ? 'min(ratio, cap)' : 'ratio'}) * logp, 0)`,
    SHOW_KEPT,
  ];
}

const penalised = (arm: Arm, keep: Lines): Lines => [
  param(arm, 'penalty', 'ratioPenalty'),
  ...ratioLines(arm),
  ...keep,
  'loss = where(keep, -A * ratio, 0) + penalty * log_ratio ** 2',
  SHOW_KEPT,
];

const withinVariation = (arm: Arm): Lines => [changeLine(arm), 'keep = change <= high if A > 0 else change >= -low'];

/** Both surrogates are of a whole segment: the trajectory, unless the arm says turns. */
const jointSegment = ({ ratioLevel }: Arm): string => (ratioLevel === 'turn' ? 'turn' : 'trajectory');

const SURROGATES: Readonly<Record<Arm['surrogate'], (arm: Arm) => Text>> = {
  ppo: (arm) => ({ title: 'PPO’s clipped surrogate', lines: clipped(arm) }),
  reinforce: () => ({ title: 'REINFORCE', lines: ['loss = -A * logp'] }),
  cispo: (arm) => {
    const relative = arm.ratioBound === 'relative';
    const weight = relative ? 'clip(ratio, 1 - low, 1 + high)' : 'min(ratio, high)';
    return {
      title: 'CISPO: the bounded ratio is a weight',
      lines: [
        ...(relative ? sides(arm) : [param(arm, 'high', 'clipHigh')]),
        ...ratioLines(arm),
        `weight = detach(${weight})`,
        'loss = -weight * A * logp',
        'show outside = weight != ratio',
      ],
    };
  },
  sapo: (arm) => ({
    title: 'SAPO: a gate that closes softly',
    lines: [
      param(arm, 'tau_positive', 'sapoPositive'),
      param(arm, 'tau_negative', 'sapoNegative'),
      ...ratioLines(arm),
      'tau = tau_positive if A > 0 else tau_negative',
      'loss = -A * 4 * sigmoid(tau * (ratio - 1)) / tau',
    ],
  }),
  gmpo: (arm) => ({
    title: 'GMPO: the geometric mean of ratios, each bounded on the side that A pushes to',
    lines: [
      ...sides(arm),
      `own = logp - ${baseOf(arm)}`,
      'kept = (min(own, high) if A > 0 else max(own, -low)) if A != 0 else 0',
      `log_ratio = mean_${jointSegment(arm)}(kept)`,
      bounded(arm),
      'loss = -A * ratio',
    ],
  }),
  'dppo-tv': (arm) => ({ title: 'DPPO, total variation', lines: divergence(arm, withinVariation(arm)) }),
  'dppo-kl': (arm) => ({
    title: 'DPPO, KL',
    lines: divergence(arm, [
      'p = clip(exp(logp), 1e-6, 1 - 1e-6)',
      `p0 = clip(exp(${baseOf(arm)}), 1e-6, 1 - 1e-6)`,
      'kl = p0 * log(p0 / p) + (1 - p0) * log((1 - p0) / (1 - p))',
      'keep = not (p > p0 and kl > high) if A > 0 else not (p < p0 and kl > low)',
    ]),
  }),
  prime: (arm) => ({
    title: 'prime-rl’s DPPO',
    lines: [...sides(arm), ...penalised(arm, withinVariation(arm))],
  }),
  ipo: (arm) => ({
    title: 'prime-rl’s IPO',
    lines: [param(arm, 'high', 'clipHigh'), ...penalised(arm, [changeLine(arm), 'keep = abs(change) <= high'])],
  }),
  dro: (arm) => ({
    title: 'DRO',
    lines: [
      param(arm, 'penalty', 'ratioPenalty'),
      ...ratioLines(arm).slice(0, -1),
      'loss = -A * logp + penalty / 2 * log_ratio ** 2',
    ],
  }),
  'clip-cov': (arm) => ({ title: 'PPO’s clipped surrogate', lines: clipped(arm) }),
  'kl-cov': (arm) => ({ title: 'Importance sampling, no bounds', lines: [...ratioLines(arm), 'loss = -A * ratio'] }),
  vespo: (arm) => ({
    title: 'VESPO: a smooth weight of the whole segment’s ratio',
    lines: [
      param(arm, 'k_positive', 'vespoPowerPositive'),
      param(arm, 'scale_positive', 'vespoScalePositive'),
      param(arm, 'k_negative', 'vespoPowerNegative'),
      param(arm, 'scale_negative', 'vespoScaleNegative'),
      `log_w = clip(sum_${jointSegment(arm)}(clip(logp - ${baseOf(arm)}, -20, 20)), log(1e-8), 20)`,
      'k = k_positive if A >= 0 else k_negative',
      'scale = scale_positive if A >= 0 else scale_negative',
      'phi = detach(exp(scale + k * log_w - scale * exp(log_w)))',
      'loss = -phi * A * logp',
    ],
  }),
  icepop: (arm) => ({
    title: 'IcePop: tokens outside of the bounds are left out',
    lines: [
      ...sides(arm),
      ...ratioLines(arm),
      'keep = 1 - low <= ratio <= 1 + high',
      'loss = where(keep, -detach(ratio) * A * logp, 0)',
      SHOW_KEPT,
    ],
  }),
  'reinforce-kl': (arm) => ({
    title: 'REINFORCE with KL (rLLM)',
    lines: [
      ...sides(arm),
      param(arm, 'backward', 'backwardKl'),
      param(arm, 'forward', 'forwardKl'),
      ...ratioLines(arm),
      'weight = detach(-clip(ratio, 1 - low, 1 + high) * A)',
      ...(arm.policyKlForm === 'estimator'
        ? [
            'old_from_new = ratio - 1 - log_ratio',
            'new_from_old = ratio * log_ratio - ratio + 1',
            'loss = weight * logp + backward * old_from_new + forward * new_from_old',
          ]
        : ['loss = (weight - backward + forward * detach(ratio * log_ratio)) * logp']),
    ],
  }),
  importance: (arm) => ({
    title: 'Importance sampling, no bounds',
    lines: [...ratioLines(arm), 'loss = -A * ratio', 'show ratio = ratio'],
  }),
};

/** What of the arm's policy loss takes sorting, chance, or its own part in the correction. */
function missing(arm: Arm): Lines {
  const { surrogate, entropyShare, offPolicyLimit, decodingCorrection } = arm;
  return [
    ...(surrogate === 'clip-cov' ? ['tokens left out by their covariance'] : []),
    ...(surrogate === 'kl-cov' ? ['the penalty on tokens of high covariance'] : []),
    ...(surrogate === 'vespo' && decodingCorrection !== 'none' ? ['the correction for decoding within log w'] : []),
    ...(entropyShare > 0 && entropyShare < 1 ? ['the choice of tokens by entropy'] : []),
    ...(offPolicyLimit > 0 ? ['trajectories left out beyond the off-policy limit'] : []),
  ];
}

const FORMS: Readonly<Record<Arm['worldModelForm'], (arm: Arm) => Lines>> = {
  'cross-entropy': () => ['# Cross-entropy', 'loss = -logp'],
  'constant-advantage': (arm) => [
    '# A policy gradient with the advantage 1',
    param(arm, 'high', 'worldModelClip'),
    'ratio = exp(clip(logp - old_logp, -20, 20))',
    'loss = -min(ratio, 1 + high)',
  ],
  'probability-threshold': (arm) => [
    '# PaW: no push on tokens that are likely already',
    param(arm, 'threshold', 'worldModelThreshold'),
    'loss = max(0, threshold - exp(logp))',
  ],
};
