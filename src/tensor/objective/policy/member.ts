/** One member's choices and numbers, read from its row of hyperparameters (columns/policy.ts). */
import { ROLES } from '../../../foundation/roles';
import type { FloatData } from '../../backend';
import {
  AGGREGATIONS,
  COUNTED_SEQUENCES,
  DECODING_CORRECTIONS,
  DECODING_LEVELS,
  LOG_RATIO_CLAMPS,
  POLICY_KL_FORMS,
  RATIO_BASES,
  RATIO_BOUNDS,
  RATIO_GRADIENTS,
  RATIO_LEVELS,
  RATIO_REDUCTIONS,
  SURROGATES,
} from '../../columns/policy';
import { HYPER } from '../../layout';

export type PolicyMember = ReturnType<typeof policyMember>;

/** A choice by its index; the list's first where the number is none of its indices. */
function choice<const L extends readonly string[]>(list: L, index: number): L[number] {
  return list[index] ?? (list[0] as L[number]);
}

export function policyMember(hyper: FloatData) {
  const number = (column: number): number => hyper[column] as number;
  const orElse = (column: number, value: number): number => number(column) || value;
  const surrogate = choice(SURROGATES, number(HYPER.surrogate));
  const ownLevel = choice(RATIO_LEVELS, number(HYPER.ratioLevel));
  // These two are made of whole segments.
  const joint = surrogate === 'gmpo' || surrogate === 'vespo';
  return {
    surrogate,
    ratioLevel: joint && ownLevel === 'token' ? ('sequence' as const) : ownLevel,
    ratioReduction: choice(RATIO_REDUCTIONS, number(HYPER.ratioReduction)),
    ratioGradient: choice(RATIO_GRADIENTS, number(HYPER.ratioGradient)),
    ratioBase: choice(RATIO_BASES, number(HYPER.ratioBase)),
    clamp: choice(LOG_RATIO_CLAMPS, number(HYPER.logRatioClamp)),
    bound: choice(RATIO_BOUNDS, number(HYPER.ratioBound)),
    low: number(HYPER.clipLow),
    high: number(HYPER.clipHigh),
    cap: number(HYPER.ratioCap),
    sapoPositive: orElse(HYPER.sapoPositive, 1),
    sapoNegative: orElse(HYPER.sapoNegative, 1.05),
    penalty: number(HYPER.ratioPenalty),
    backwardKl: number(HYPER.backwardKl),
    forwardKl: number(HYPER.forwardKl),
    klForm: choice(POLICY_KL_FORMS, number(HYPER.policyKlForm)),
    covarianceShare: number(HYPER.covarianceShare),
    covarianceLow: number(HYPER.covarianceLow),
    covarianceHigh: number(HYPER.covarianceHigh),
    entropyShare: number(HYPER.entropyShare),
    offPolicyLimit: number(HYPER.offPolicyLimit),
    aggregation: choice(AGGREGATIONS, number(HYPER.aggregation)),
    countedSequences: choice(COUNTED_SEQUENCES, number(HYPER.countedSequences)),
    tokenDenominator: number(HYPER.tokenDenominator),
    sequenceDenominator: number(HYPER.sequenceDenominator),
    lengthDenominator: number(HYPER.lengthDenominator),
    lossScale: orElse(HYPER.lossScale, 1),
    correction: choice(DECODING_CORRECTIONS, number(HYPER.decodingCorrection)),
    correctionLevel: choice(DECODING_LEVELS, number(HYPER.decodingLevel)),
    correctionLow: number(HYPER.decodingLow),
    correctionHigh: orElse(HYPER.decodingHigh, Number.POSITIVE_INFINITY),
    vespoPositive: { power: orElse(HYPER.vespoPowerPositive, 2), scale: orElse(HYPER.vespoScalePositive, 3) },
    vespoNegative: { power: orElse(HYPER.vespoPowerNegative, 3), scale: orElse(HYPER.vespoScaleNegative, 2) },
    /** The policy-gradient weight of a role; 0 for what is no target. */
    roleWeight: (role: number | null): number =>
      role !== null && role < ROLES.length ? number(HYPER.policyGradient + role) : 0,
  };
}
