/** Masks of the policy loss, and corrections where decoding and training disagree on log-probs. */
import { both, type Condition, choice, isOneOf, not, real } from './setting';

/**
 * Factor c of an action token's loss, because decoding and training give different log-probs. c = exp(log p₀ − log-prob
 * recorded by decoding) of the token, or of its trajectory's sum or mean (decodingLevel). vespo takes it into w.
 */
export const decodingCorrection = choice(
  'Correction for decoding',
  'What is done about decoding and training disagreeing on log-probs: TIS truncates their ratio, IcePop drops tokens outside of bounds.',
  {
    none: 'none',
    /**
     * c kept within decodingLow … decodingHigh: TIS (low 0), OpenRLHF `tis`, TRL `token_truncate`, `sequence_truncate`, verl.
     */
    truncate: { name: 'truncate (TIS)', remark: 'multiplied by the ratio of training to decoding, kept within' },
    /** c, and 0 outside: IcePop, OpenRLHF `icepop`, TRL `token_mask`, `sequence_mask`. */
    mask: {
      name: 'drop outside (IcePop)',
      remark: 'multiplied by the ratio of training to decoding, and 0 where it is not within',
    },
    /** The token's own c, and 0 on trajectories whose geometric mean of c is outside: OpenRLHF `seq-mask-tis`. */
    'sequence-mask': {
      name: 'drop trajectories (OpenRLHF)',
      remark: 'multiplied by the ratio of training to decoding, and 0 in trajectories where its mean is not within',
    },
  },
);

const isCorrected: Condition = not(isOneOf(decodingCorrection, 'none'));

export const CORRECTION = {
  /**
   * Share of the tokens that keep their loss, those of highest entropy; 0 and 1: all (TRL's `top_entropy_quantile`).
   */
  entropyShare: real({
    label: 'Share by entropy',
    help: 'Only this share of the tokens, those of highest entropy, keep their loss; 1 keeps all (TRL’s top_entropy_quantile).',
    default: 1,
    min: 0.01,
    max: 1,
    soft: [0.05, 1],
    step: 0.05,
  }),
  /**
   * A trajectory with A < 0 keeps its loss only while the mean of (recorded log-prob − log p) over its tokens is no more
   * than this; 0: always (TRL's `off_policy_mask_threshold`).
   */
  offPolicyLimit: real({
    label: 'Off-policy limit',
    help: 'Drops failed trajectories that have become this much less likely, in nats per token, since they were sampled; 0 keeps all (TRL).',
    default: 0,
    min: 0,
    max: 100,
    soft: [0, 5],
    step: 0.1,
  }),
  decodingCorrection,
  /** Tokens that share one factor c. */
  decodingLevel: choice(
    'Corrected per',
    'Whether each token is corrected by itself or by its trajectory’s product or geometric mean.',
    {
      token: 'token',
      /** Product over the trajectory's action tokens: TRL, verl `sequence`. */
      sequence: 'trajectory, product',
      /** Geometric mean over them: verl's gmpo. */
      geometric: 'trajectory, geometric mean',
    },
    { when: both(isCorrected, not(isOneOf(decodingCorrection, 'sequence-mask'))) },
  ),
  /** Bounds of c; decodingHigh 0: no upper bound (TIS 2, TRL 3, OpenRLHF 0.5 … 5). */
  decodingLow: real({
    label: 'Correction from',
    help: 'Lower bound of the correction: 0 in TIS, 0.5 in OpenRLHF.',
    default: 0,
    min: 0,
    max: 1,
    soft: [0, 1],
    step: 0.05,
    when: isCorrected,
  }),
  decodingHigh: real({
    label: 'Correction to',
    help: 'Upper bound of the correction: 2 in TIS, 3 in TRL, 5 in OpenRLHF; 0 is none.',
    default: 2,
    min: 0,
    max: 1000,
    soft: [0, 10],
    step: 0.1,
    when: isCorrected,
  }),
} as const;
