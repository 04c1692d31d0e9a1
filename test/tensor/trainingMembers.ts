/** The members of trainingGradient.test.ts: each choice of the objective once, all terms of the loss in every one. */
import { columnNumbers, type PolicySettings } from '../../src/check/policyLoss/settings';
import type { RoleWeights } from '../../src/foundation/roles';
import type { HyperOptions } from '../../src/parity/cases/hyper';
import { EACH_SURROGATE, NO_MASK } from '../../src/parity/cases/policyMembers';
import {
  AGGREGATIONS,
  COUNTED_SEQUENCES,
  DECODING_CORRECTIONS,
  DECODING_LEVELS,
  LOG_RATIO_CLAMPS,
  RATIO_BASES,
  RATIO_GRADIENTS,
  RATIO_LEVELS,
  RATIO_REDUCTIONS,
} from '../../src/tensor/columns/policy';
import {
  BATCH_DENOMINATORS,
  KL_CLAMPS,
  KL_ESTIMATORS,
  SEQUENCE_DENOMINATORS,
  WORLD_MODEL_FORMS,
} from '../../src/tensor/columns/worldModel';

type Settings = Omit<PolicySettings, 'policyGradient' | 'crossEntropy'> & {
  readonly policyGradient?: Partial<RoleWeights>;
  readonly crossEntropy?: Partial<RoleWeights>;
};

export interface TrainingMember {
  readonly name: string;
  readonly hyper: HyperOptions;
  /** Nothing in the loss is held fixed: its gradient is that of its value. */
  readonly isPlain: boolean;
}

const BASE: Settings = {
  policyGradient: { action: 1 },
  crossEntropy: { observation: 0.1, warning: 0.05 },
  klCoefficient: 0.1,
  entropyCoefficient: 0.02,
  valueCoefficient: 0.5,
  temperature: 0.8,
};

/** Surrogates with a held factor in front of log p. */
const HELD: readonly string[] = ['cispo', 'dppo-tv', 'dppo-kl', 'vespo', 'icepop', 'reinforce-kl'];
/** Surrogates that take no ratio shared by a segment, or always differentiate it. */
const WITHOUT_SHARED_RATIO: readonly string[] = ['reinforce', 'gmpo'];

function isPlain({ surrogate = 'ppo', ratioLevel = 'token', ratioGradient, klStraightThrough = 0 }: Settings): boolean {
  if (HELD.includes(surrogate) || klStraightThrough !== 0) return false;
  return ratioLevel === 'token' || ratioGradient === 'differentiable' || WITHOUT_SHARED_RATIO.includes(surrogate);
}

const SURROGATE_CHOICES: readonly Settings[] = EACH_SURROGATE.flatMap((own): Settings[] => [
  own,
  ...RATIO_LEVELS.slice(1).flatMap((ratioLevel) =>
    RATIO_GRADIENTS.map((ratioGradient): Settings => ({ ...own, ratioLevel, ratioGradient })),
  ),
]);

/** Clips that some ratios are outside of, selections that drop some tokens, an off-policy limit that some trajectories pass. */
const POLICY_CHOICES: readonly Settings[] = [
  ...RATIO_LEVELS.slice(1).map(
    (ratioLevel): Settings => ({ ratioLevel, ratioReduction: RATIO_REDUCTIONS[1], ratioGradient: 'differentiable' }),
  ),
  ...LOG_RATIO_CLAMPS.map((logRatioClamp): Settings => ({ surrogate: 'importance', logRatioClamp })),
  ...RATIO_BASES.map((ratioBase): Settings => ({ ratioBase, policyGradient: NO_MASK })),
  ...AGGREGATIONS.flatMap((aggregation) =>
    COUNTED_SEQUENCES.map((countedSequences): Settings => ({ aggregation, countedSequences, policyGradient: NO_MASK })),
  ),
  ...DECODING_CORRECTIONS.slice(1).flatMap((decodingCorrection) =>
    DECODING_LEVELS.map(
      (decodingLevel): Settings => ({ decodingCorrection, decodingLevel, decodingLow: 0.8, decodingHigh: 1.3 }),
    ),
  ),
  { surrogate: 'cispo', ratioBound: 'absolute-above', clipHigh: 1.1 },
  { surrogate: 'reinforce-kl', policyKlForm: 'estimator', backwardKl: 0.3, forwardKl: 0.2 },
  { surrogate: 'sapo', sapoPositive: 2, sapoNegative: 3, policyGradient: NO_MASK },
  { surrogate: 'clip-cov', covarianceShare: 0.3, covarianceLow: -5, covarianceHigh: 5 },
  { surrogate: 'kl-cov', covarianceShare: 0.3, ratioPenalty: 1 },
  {
    surrogate: 'kl-cov',
    covarianceShare: 0.3,
    ratioPenalty: 1,
    ratioLevel: 'sequence',
    ratioGradient: 'differentiable',
  },
  { entropyShare: 0.5, ratioLevel: 'turn', ratioGradient: 'differentiable' },
  { offPolicyLimit: 0.02, ratioLevel: 'sequence', ratioGradient: 'differentiable' },
];

const OTHER_CHOICES: readonly Settings[] = [
  ...KL_ESTIMATORS.flatMap((klEstimator) => KL_CLAMPS.map((klClamp): Settings => ({ klEstimator, klClamp }))),
  ...KL_ESTIMATORS.map((klEstimator): Settings => ({ klEstimator, klRatioWeighted: 1, klClamp: 'none' })),
  ...KL_ESTIMATORS.map((klEstimator): Settings => ({ klEstimator, klStraightThrough: 1 })),
  ...WORLD_MODEL_FORMS.map(
    (_, worldModelForm): Settings => ({ worldModelForm, worldModelClip: 0.2, worldModelThreshold: 0.2 }),
  ),
  ...SEQUENCE_DENOMINATORS.map((_, worldModelSequenceDenominator): Settings => ({ worldModelSequenceDenominator })),
  ...BATCH_DENOMINATORS.map(
    (_, worldModelBatchDenominator): Settings => ({ worldModelBatchDenominator, worldModelDenominator: 9 }),
  ),
  { worldModelTurnShare: 0.5, worldModelRewardScale: 2, crossEntropy: { observation: 0.3, action: 0.1, prompt: 0.2 } },
  { valueClip: 0.1 },
  { valueClip: 0.1, advantageCredit: 2, gaeLambda: 0.9, discount: 0.95 },
  { policyGradient: {}, klCoefficient: 0, entropyCoefficient: 0, valueCoefficient: 0 },
  { crossEntropy: {}, valueCoefficient: 0 },
];

function named(settings: Settings): TrainingMember {
  const { policyGradient = {}, crossEntropy = {}, ...choices } = { ...BASE, ...settings };
  const hyper = { ...columnNumbers(choices), policyGradient, crossEntropy } as HyperOptions;
  return { name: JSON.stringify(settings), hyper, isPlain: isPlain(settings) };
}

export const TRAINING_MEMBERS: readonly TrainingMember[] = [
  ...SURROGATE_CHOICES,
  ...POLICY_CHOICES,
  ...OTHER_CHOICES,
].map(named);
