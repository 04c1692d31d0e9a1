/**
 * The policy-gradient loss of one token: its surrogate, and the surrogate's numbers.
 *
 * In the formulas x is the log-ratio of the token's segment (ratioLevel), r = exp x, A the advantage, p the token's
 * probability and p₀ what it was under the policy before the update; lo and hi are clipLow and clipHigh; sg[·] is held
 * fixed. A loss is minimised; the page writes what is maximised, and `held` for sg.
 */
import {
  brackets,
  call,
  type Formula,
  fraction,
  index,
  minus,
  operator,
  over,
  type Part,
  power,
  row,
  symbol,
  words,
} from '../foundation/formula';
import { both, type Condition, choice, either, isOneOf, type NumberSetting, not, type Read, real } from './setting';

const r = symbol('r', 'r');
const A = symbol('A', 'A');
const x = symbol('x', 'x');
/** gmpo's log-ratio, bounded on the side the advantage pushes to. */
const bounded = symbol('y', 'y');
const p = symbol('p', 'p');
const p0 = index('p', 0);
const logP = row(symbol('log', 'log'), p);
const tau = symbol('τ', 'tau');
const atMost = operator('≤', 'at most');
const kept = index('1', words('kept'));

const held = (...parts: readonly Part[]): Formula => row(symbol('sg', 'hold fixed'), brackets(...parts));

/** 1 − 0.2 is 0.8, not 0.8000000000000000444. */
const tidy = (value: number): number => Number(value.toPrecision(12));

const bounds = (read: Read): [number, number] => [tidy(1 - read(clipLow)), tidy(1 + read(clipHigh))];
const clipped = (read: Read): Formula => call('clip', r, ...bounds(read));

function clippedSurrogate(read: Read): Formula {
  const clip = call('min', row(r, A), row(clipped(read), A));
  return read(ratioCap) > 0 ? call('max', clip, row(read(ratioCap), A)) : clip;
}

const keptWeight = (read: Read): Formula =>
  row(kept, held(read(ratioCap) > 0 ? call('min', r, read(ratioCap)) : r), A, logP);

const keptRatio = (read: Read): Formula => row(kept, r, A, minus, read(ratioPenalty), power(x, 2));

/** Loss of a token. */
export const surrogate = choice(
  'Surrogate',
  'The loss of one token, from its ratio to the old policy and its advantage; the formula above shows the one chosen.',
  {
    /**
     * max(−A·r, −A·clip(r, 1 − lo, 1 + hi)), for A < 0 no more than −A·ratioCap (dual clip, arXiv 1912.09729): PPO (arXiv
     * 1707.06347), GRPO, DAPO's clip-higher; GSPO, turn-level and RLOO-sequence ratios by ratioLevel. verl `vanilla` and
     * `gspo`, OpenRLHF `ppo` and `gspo`, SkyRL `regular` and `dual_clip`, TRL `grpo`, `bnpo`, `dr_grpo`, `dapo`, `luspo`.
     */
    ppo: { name: 'PPO clip (GRPO, DAPO, GSPO)', formula: clippedSurrogate },
    /** −A·log p. verl `gpg` and `reinforce`, rLLM `reinforce`. */
    reinforce: { name: 'REINFORCE (GPG)', formula: () => row(A, logP) },
    /** −sg[clip(r, 1 − lo, 1 + hi)]·A·log p (arXiv 2506.13585), bounds: ratioBound. verl, rLLM, SkyRL, TRL `cispo`. */
    cispo: {
      name: 'CISPO',
      formula: (read) => {
        const isRelative = read(ratioBound) === 'relative';
        return row(held(isRelative ? clipped(read) : call('min', r, read(clipHigh))), A, logP);
      },
    },
    /** −A·(4/τ)·sigmoid(τ(r − 1)), τ of the sign of A (arXiv 2511.20347). verl, SkyRL, TRL `sapo`. */
    sapo: {
      name: 'SAPO',
      formula: () => {
        const exponent = row(tau, operator('(', 'times'), r, minus, 1, operator(')', ','));
        return row(fraction(4, tau), call(symbol('σ', 'sigmoid'), exponent), A);
      },
    },
    /**
     * −A·exp(mean over the segment of d), d = log p − log p₀ kept within −lo … hi on the side A pushes to (GMPO, arXiv
     * 2507.20673). The segment is the trajectory where ratioLevel says token. verl `geo_mean`, lo = hi = 0.4.
     */
    gmpo: { name: 'GMPO', formula: (_, segment) => row(A, call('exp', row(over(words('mean'), segment), bounded))) },
    /**
     * −A·sg[min(r, ratioCap)]·log p while p − p₀ ≤ hi (A > 0) or ≥ −lo (else), otherwise 0 (arXiv 2602.04879). verl and
     * rLLM `dppo_tv`; verl caps the ratio at 20, rLLM does not.
     */
    'dppo-tv': { name: 'DPPO, total variation', formula: keptWeight },
    /**
     * The same with the Kullback–Leibler divergence of (p₀, 1 − p₀) from (p, 1 − p) in place of |p − p₀|. `dppo_kl`.
     */
    'dppo-kl': { name: 'DPPO, KL', formula: keptWeight },
    /** −keep·A·r + ratioPenalty·x², keep as in dppo-tv: prime-rl's default, lo = hi = 0.2, ratioPenalty 1e-3. */
    prime: { name: 'prime-rl’s DPPO', formula: keptRatio },
    /** As prime, keeping |p − p₀| ≤ hi whatever the sign of A: prime-rl `ipo`. */
    ipo: { name: 'prime-rl’s IPO', formula: keptRatio },
    /** −(A·log p − ratioPenalty/2·x²) (arXiv 2405.19107). verl `dro`. */
    dro: { name: 'DRO', formula: (read) => row(A, logP, minus, fraction(read(ratioPenalty), 2), power(x, 2)) },
    /**
     * ppo, left out on a share of the tokens whose covariance of advantage and log-prob is high (arXiv 2505.22617). `clip_cov`.
     */
    'clip-cov': { name: 'Clip-Cov', formula: clippedSurrogate },
    /** −A·r, + ratioPenalty·|x| on the share of tokens with the highest covariance. `kl_cov`, ratioPenalty 1. */
    'kl-cov': {
      name: 'KL-Cov',
      formula: (read) => {
        const some = index(read(ratioPenalty), words('some'));
        return row(r, A, minus, some, operator('|', 'the size of'), x, operator('|', ','));
      },
    },
    /**
     * −sg[φ]·A·log p with φ = exp(λ + k·log w − λ·w), w the ratio of the whole segment (sum of log-ratios kept within ±20,
     * log w within log 1e-8 … 20, the correction for decoding a part of it) and (k, λ) of the sign of A. TRL `vespo`.
     */
    vespo: { name: 'VESPO', formula: () => row(held(symbol('φ', 'phi')), A, logP) },
    /**
     * −sg[r]·A·log p where 1 − lo ≤ r ≤ 1 + hi, else 0; with ratioBase behaviour (arXiv 2510.18855). rLLM `icepop`, 0.5 … 5.
     */
    icepop: {
      name: 'IcePop',
      formula: (read) => {
        const [least, most] = bounds(read);
        return row(brackets(least, atMost, r, atMost, most), held(r), A, logP);
      },
    },
    /**
     * −sg[clip(r, 1 − lo, 1 + hi)]·A·log p + backwardKl·KL(p₀ ‖ p) + forwardKl·KL(p ‖ p₀). The KL terms take the form that
     * policyKlForm names; ratioBase is `behaviour`. rLLM's `reinforce_kl`, whose ratio has no bounds unless they are given.
     */
    'reinforce-kl': {
      name: 'REINFORCE with KL (rLLM)',
      formula: (read) => {
        const kl = (from: NumberSetting, divergence: Formula): Formula[] =>
          read(from) > 0 ? [row(minus, read(from), divergence)] : [];
        return row(
          row(held(clipped(read)), A, logP),
          ...kl(backwardKl, call('KL', row(p0, operator('‖', 'from'), p))),
          ...kl(forwardKl, call('KL', row(p, operator('‖', 'from'), p0))),
        );
      },
    },
    /** −A·r, no bounds. Tinker's `importance_sampling`. */
    importance: { name: 'importance sampling, no bounds', formula: () => row(r, A) },
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
  help: 'How far an action’s ratio may fall under 1 before its gradient stops; in DPPO and prime-rl, how far its probability may fall.',
  default: 0.2,
  min: 0,
  max: 1,
  soft: [0, 0.5],
  step: 0.01,
  when: both(isBounded, not(isBoundedAbove)),
});

export const clipHigh: NumberSetting = real({
  label: 'Clip above',
  help: 'How far an action’s ratio may rise over 1 before its gradient stops; DAPO takes 0.28, CISPO in ScaleRL 5.',
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
