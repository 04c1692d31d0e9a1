/**
 * The loss of one token under each surrogate, in the language of formulas (docs/formulas.md). What the CPU computes, the
 * WGSL with all derivatives, what the page shows and the PyTorch that leaves it follow from these texts.
 *
 * A line reads `logp`, `old_logp` (the log-prob in the ratio's denominator), `A`, `log_ratio` (of the token's segment: of
 * itself, its turn or its trajectory), `ratio` (exp of that, bounded by logRatioClamp: a kernel hands it over), the
 * numbers in SURROGATE_NUMBERS, and `selection` (selectTokens: 0 where the token is left out, 2 where it was chosen for
 * kl-cov's penalty).
 * Sources of the surrogates: surrogate.ts.
 */
type Lines = readonly string[];

/** Bounds that act on a token, as conditions; TERM in tensor/columns.ts says what they count. Left out: none. */
interface Bounds {
  /** The factor is outside on this side; with an advantage that pushes further out it is counted for the side. */
  readonly below?: string;
  readonly above?: string;
  /** The bound acts on the token's gradient. */
  readonly clipped?: string;
  /** Condition under which `cap` acts. */
  readonly dual?: string;
}

interface Version {
  readonly lines: Lines;
  readonly bounds?: Bounds;
}

export interface SurrogateText extends Version {
  readonly title: string;
  /** Factor of the advantage before any bound, where it is not `ratio`. */
  readonly factor?: string;
  /** The lines without `cap` and `selection`, for trainers that have no cap, or no word for a selection. */
  readonly plain?: Lines;
  /** Text under another choice of a setting. */
  readonly instead?: Version & { readonly setting: 'ratioBound' | 'policyKlForm'; readonly choice: string };
}

/** Numbers of a text: the hyperparameter, and the number used for its 0. */
export const SURROGATE_NUMBERS = {
  low: { name: 'clipLow' },
  high: { name: 'clipHigh' },
  /** None is more than any ratio (e⁸⁰ at most), and finite times an advantage in float32. */
  cap: { name: 'ratioCap', zero: 1e36 },
  penalty: { name: 'ratioPenalty' },
  tau_positive: { name: 'sapoPositive' },
  tau_negative: { name: 'sapoNegative' },
  k_positive: { name: 'vespoPowerPositive' },
  scale_positive: { name: 'vespoScalePositive' },
  k_negative: { name: 'vespoPowerNegative' },
  scale_negative: { name: 'vespoScaleNegative' },
  backward: { name: 'backwardKl' },
  forward: { name: 'forwardKl' },
} as const;

/** Names of `numbers` that occur in lines, in the table's order. */
export function numbersIn<Name extends string>(
  numbers: Readonly<Record<Name, unknown>>,
  lines: Lines,
): readonly Name[] {
  const words = new Set(lines.join('\n').match(/\w+/g));
  return (Object.keys(numbers) as Name[]).filter((name) => words.has(name));
}

const CLIPPED = 'clip(ratio, 1 - low, 1 + high)';
const SIDES: Bounds = { below: 'ratio < 1 - low', above: 'ratio > 1 + high' };
const LEFT_OUT: Bounds = { below: 'not keep', above: 'not keep', clipped: 'not keep' };

const PPO: Omit<SurrogateText, 'title'> = {
  lines: [`gain = min(ratio * A, ${CLIPPED} * A)`, 'loss = -max(gain, cap * A) if A < 0 else -gain'],
  plain: [`loss = -min(ratio * A, ${CLIPPED} * A)`],
  bounds: { ...SIDES, clipped: `${CLIPPED} * A < ratio * A`, dual: 'A < 0 and cap * A > gain' },
};

/** −A·sg[min(ratio, cap)]·log p on the tokens that are kept. */
const divergence = (title: string, ...keep: Lines): SurrogateText => ({
  title,
  lines: [...keep, 'loss = where(keep, -A * detach(min(ratio, cap)) * logp, 0)'],
  plain: [...keep, 'loss = where(keep, -A * detach(ratio) * logp, 0)'],
  bounds: { ...LEFT_OUT, dual: 'keep and ratio > cap' },
});

const penalised = (title: string, ...keep: Lines): SurrogateText => ({
  title,
  lines: [...keep, 'loss = where(keep, -A * ratio, 0) + penalty * log_ratio * log_ratio'],
  bounds: LEFT_OUT,
});

const CHANGE = 'change = exp(logp) - exp(old_logp)';
const WITHIN_VARIATION = [CHANGE, 'keep = change <= high if A > 0 else change >= -low'];

export const SURROGATE_TEXTS = {
  ppo: { title: 'PPO’s clipped surrogate', ...PPO },
  reinforce: { title: 'REINFORCE', lines: ['loss = -A * logp'] },
  cispo: {
    title: 'CISPO: the bounded ratio is a weight',
    lines: [`weight = detach(${CLIPPED})`, 'loss = -weight * A * logp'],
    bounds: { ...SIDES, clipped: 'weight != ratio' },
    instead: {
      setting: 'ratioBound',
      choice: 'absolute-above',
      lines: ['weight = detach(min(ratio, high))', 'loss = -weight * A * logp'],
      bounds: { above: 'weight != ratio', clipped: 'weight != ratio' },
    },
  },
  sapo: {
    title: 'SAPO: a gate that closes softly',
    lines: ['tau = tau_positive if A > 0 else tau_negative', 'loss = -A * 4 * sigmoid(tau * (ratio - 1)) / tau'],
  },
  gmpo: {
    title: 'GMPO: the geometric mean of ratios, each bounded on the side that A pushes to',
    // The bound acts within `ratio`, the segment's mean: segmentLogRatio (segments.ts), shareOf (segment.wgsl).
    lines: ['loss = -A * ratio'],
    bounds: {
      below: 'logp - old_logp < -low or logp - old_logp > high',
      above: 'logp - old_logp < -low or logp - old_logp > high',
      clipped: '(A > 0 and logp - old_logp > high) or (A < 0 and logp - old_logp < -low)',
    },
  },
  'dppo-tv': divergence('DPPO, total variation', ...WITHIN_VARIATION),
  'dppo-kl': divergence(
    'DPPO, KL',
    'p = clip(exp(logp), 1e-6, 1 - 1e-6)',
    'p0 = clip(exp(old_logp), 1e-6, 1 - 1e-6)',
    'kl = p0 * log(p0 / p) + (1 - p0) * log((1 - p0) / (1 - p))',
    'upwards = p > p0 and kl > high',
    'downwards = p < p0 and kl > low',
    'keep = not upwards if A > 0 else not downwards',
  ),
  prime: penalised('prime-rl’s DPPO', ...WITHIN_VARIATION),
  ipo: penalised('prime-rl’s IPO', CHANGE, 'keep = abs(change) <= high'),
  dro: { title: 'DRO', lines: ['loss = -A * logp + penalty / 2 * log_ratio * log_ratio'] },
  'clip-cov': {
    title: 'PPO’s clipped surrogate, some tokens left out',
    ...PPO,
    bounds: { ...PPO.bounds, clipped: 'selection == 0' },
  },
  'kl-cov': {
    title: 'Importance sampling, a penalty on some tokens',
    lines: ['loss = -A * ratio + (penalty if selection == 2 else 0) * abs(log_ratio)'],
    plain: ['loss = -A * ratio'],
    bounds: SIDES,
  },
  vespo: {
    title: 'VESPO: a smooth weight of the whole segment’s ratio',
    lines: [
      'k = k_positive if A >= 0 else k_negative',
      'scale = scale_positive if A >= 0 else scale_negative',
      'phi = detach(exp(scale + k * log_ratio - scale * exp(log_ratio)))',
      'loss = -phi * A * logp',
    ],
    factor: 'phi',
  },
  icepop: {
    title: 'IcePop: tokens outside of the bounds are left out',
    lines: ['keep = 1 - low <= ratio <= 1 + high', 'loss = where(keep, -detach(ratio) * A * logp, 0)'],
    bounds: LEFT_OUT,
  },
  'reinforce-kl': {
    title: 'REINFORCE with KL (rLLM)',
    lines: [
      `weight = detach(-${CLIPPED} * A)`,
      'loss = (weight - backward + detach(forward * ratio * log_ratio)) * logp',
    ],
    bounds: { ...SIDES, clipped: 'ratio < 1 - low or ratio > 1 + high' },
    instead: {
      setting: 'policyKlForm',
      choice: 'estimator',
      lines: [
        `weight = detach(-${CLIPPED} * A)`,
        'old_from_new = ratio - 1 - log_ratio',
        'new_from_old = ratio * log_ratio - ratio + 1',
        'loss = weight * logp + backward * old_from_new + forward * new_from_old',
      ],
      bounds: { ...SIDES, clipped: 'ratio < 1 - low or ratio > 1 + high' },
    },
  },
  importance: { title: 'Importance sampling, no bounds', lines: ['loss = -A * ratio'], bounds: SIDES },
} satisfies Readonly<Record<string, SurrogateText>>;
