/** Members of trainingGradient.test.ts: each choice of the objective once, with all terms of the loss in every member. */

import { columnNumbers, type PolicySettings } from '../../src/check/policyLoss/settings';
import type { RoleWeights } from '../../src/foundation/roles';
import { CHOICES } from '../../src/hyperparameters/columns';
import type { HyperOptions } from '../../src/parity/cases/hyper';
import { EACH_SURROGATE, NO_MASK } from '../../src/parity/cases/objective/policyMembers';

type Settings = Omit<PolicySettings, 'policyGradient' | 'crossEntropy'> & {
  readonly policyGradient?: Partial<RoleWeights>;
  readonly crossEntropy?: Partial<RoleWeights>;
};

export interface TrainingMember {
  readonly name: string;
  readonly hyper: HyperOptions;
  /** True if nothing in the loss is held fixed: its gradient is that of its value. */
  readonly isPlain: boolean;
}

const BASE: Settings = {
  policyGradient: { action: 1, thought: 0.5 },
  crossEntropy: { observation: 0.1, warning: 0.05, thought: 0.03 },
  klCoefficient: 0.1,
  klThought: 0.2,
  entropyCoefficient: 0.02,
  entropyThought: 0.05,
  valueCoefficient: 0.5,
  temperature: 0.8,
};

/** Surrogates that hold the ratio fixed, as a factor in front of log p. */
export const HELD: readonly string[] = ['cispo', 'dppo-tv', 'dppo-kl', 'vespo', 'icepop', 'reinforce-kl'];
/** Surrogates that take no ratio shared by a segment, or always differentiate it. */
const WITHOUT_SHARED_RATIO: readonly string[] = ['reinforce', 'gmpo'];

function isPlain({ surrogate = 'ppo', ratioLevel = 'token', ratioGradient, klStraightThrough = 0 }: Settings): boolean {
  if (HELD.includes(surrogate) || klStraightThrough !== 0) return false;
  return ratioLevel === 'token' || ratioGradient === 'differentiable' || WITHOUT_SHARED_RATIO.includes(surrogate);
}

const SURROGATE_CHOICES: readonly Settings[] = EACH_SURROGATE.flatMap((own): Settings[] => [
  own,
  ...CHOICES.ratioLevel
    .slice(1)
    .flatMap((ratioLevel) =>
      CHOICES.ratioGradient.map((ratioGradient): Settings => ({ ...own, ratioLevel, ratioGradient })),
    ),
]);

/** Choices with clips that some ratios leave, selections that drop some tokens, a limit that some trajectories exceed. */
const POLICY_CHOICES: readonly Settings[] = [
  ...CHOICES.ratioLevel.slice(1).map(
    (ratioLevel): Settings => ({
      ratioLevel,
      ratioReduction: 'sum',
      ratioGradient: 'differentiable',
    }),
  ),
  ...CHOICES.logRatioClamp.map((logRatioClamp): Settings => ({ surrogate: 'importance', logRatioClamp })),
  ...CHOICES.ratioBase.map((ratioBase): Settings => ({ ratioBase, policyGradient: NO_MASK })),
  ...CHOICES.aggregation.flatMap((aggregation) =>
    CHOICES.countedSequences.map(
      (countedSequences): Settings => ({ aggregation, countedSequences, policyGradient: NO_MASK }),
    ),
  ),
  ...CHOICES.decodingCorrection
    .slice(1)
    .flatMap((decodingCorrection) =>
      CHOICES.decodingLevel.map(
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
  ...CHOICES.klEstimator.flatMap((klEstimator) =>
    CHOICES.klClamp.map((klClamp): Settings => ({ klEstimator, klClamp })),
  ),
  ...CHOICES.klEstimator.map((klEstimator): Settings => ({ klEstimator, klRatioWeighted: 1, klClamp: 'none' })),
  ...CHOICES.klEstimator.map((klEstimator): Settings => ({ klEstimator, klStraightThrough: 1 })),
  ...CHOICES.worldModelForm.map(
    (worldModelForm): Settings => ({ worldModelForm, worldModelClip: 0.2, worldModelThreshold: 0.2 }),
  ),
  ...CHOICES.worldModelSequenceDenominator.map(
    (worldModelSequenceDenominator): Settings => ({ worldModelSequenceDenominator }),
  ),
  ...CHOICES.worldModelBatchDenominator.map(
    (worldModelBatchDenominator): Settings => ({ worldModelBatchDenominator, worldModelDenominator: 9 }),
  ),
  { worldModelTurnShare: 0.5, worldModelRewardScale: 2, crossEntropy: { observation: 0.3, action: 0.1, prompt: 0.2 } },
  { valueClip: 0.1 },
  { valueClip: 0.1, advantageCredit: 'gae', gaeLambda: 0.9, discount: 0.95 },
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
