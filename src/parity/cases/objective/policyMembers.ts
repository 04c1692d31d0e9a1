/** Members of the policy objective's cases, with their choices in words. */

import { columnNumbers, type PolicySettings } from '../../../check/policyLoss/settings';
import { ROLES } from '../../../foundation/roles';
import { CHOICES, type ChoiceOf } from '../../../hyperparameters/columns';
import type { TensorSpec } from '../case';
import { type HyperOptions, hyperTensor } from '../hyper';

export type CaseMember = Omit<PolicySettings, 'policyGradient' | 'crossEntropy'> & Pick<HyperOptions, 'policyGradient'>;

const ACTIONS = { action: 1 };
export const NO_MASK = { prompt: 0.5, action: 1, observation: 1, warning: -0.25, thought: 0.75 };

/** `more`: numbers of each member beside its choices. */
export function hyperOf(members: readonly CaseMember[], more: readonly HyperOptions[] = []): TensorSpec {
  const rows = members.map(({ policyGradient = ACTIONS, ...settings }, p): HyperOptions => {
    const chosen = columnNumbers(settings) as Omit<HyperOptions, 'policyGradient' | 'crossEntropy'>;
    return { ...more[p], ...chosen, policyGradient };
  });
  return hyperTensor(...rows);
}

/** Settings of each surrogate besides its name. */
const SURROGATE_NUMBERS: Readonly<Partial<Record<ChoiceOf<'surrogate'>, CaseMember>>> = {
  ppo: { ratioCap: 1.4 },
  gmpo: { clipLow: 0.4, clipHigh: 0.3 },
  'dppo-tv': { ratioCap: 1.3, clipLow: 0.1, clipHigh: 0.08 },
  'dppo-kl': { clipLow: 0.02, clipHigh: 0.01 },
  prime: { ratioPenalty: 0.1, clipLow: 0.1, clipHigh: 0.08 },
  ipo: { ratioPenalty: 0.2, clipHigh: 0.07 },
  dro: { ratioPenalty: 0.5 },
  'kl-cov': { ratioPenalty: 0.7 },
  icepop: { clipLow: 0.3, clipHigh: 0.4, ratioBase: 'behaviour' },
  'reinforce-kl': { clipLow: 0.3, clipHigh: 0.4, ratioBase: 'behaviour', backwardKl: 0.3, forwardKl: 0.2 },
};

export const EACH_SURROGATE: readonly CaseMember[] = CHOICES.surrogate.map((surrogate) => ({
  surrogate,
  ...SURROGATE_NUMBERS[surrogate],
}));

/** Members with every surrogate, every choice of ratio, and other roles than actions. */
export const MEMBERS: readonly CaseMember[] = [
  ...EACH_SURROGATE,
  ...CHOICES.ratioLevel
    .slice(1)
    .flatMap((ratioLevel) =>
      CHOICES.ratioReduction.flatMap((ratioReduction) =>
        CHOICES.ratioGradient.map(
          (ratioGradient): CaseMember => ({ ratioLevel, ratioReduction, ratioGradient, clipLow: 0.1 }),
        ),
      ),
    ),
  { surrogate: 'gmpo', ratioLevel: 'turn', clipLow: 0.1, clipHigh: 0.1, policyGradient: NO_MASK },
  { surrogate: 'vespo', ratioLevel: 'turn', vespoPowerPositive: 1.5, vespoScaleNegative: 1.2, policyGradient: NO_MASK },
  ...CHOICES.decodingCorrection.flatMap((decodingCorrection) =>
    CHOICES.decodingLevel.map(
      (decodingLevel): CaseMember => ({
        surrogate: 'vespo',
        decodingCorrection,
        decodingLevel,
        decodingLow: 0.7,
        decodingHigh: 1.5,
      }),
    ),
  ),
  { surrogate: 'cispo', ratioBound: 'absolute-above', clipHigh: 1.3 },
  { surrogate: 'reinforce-kl', clipHigh: 1e30, clipLow: 1, backwardKl: 0.3, forwardKl: 0.2, policyKlForm: 'estimator' },
  { surrogate: 'sapo', sapoPositive: 2, sapoNegative: 3, ratioLevel: 'sequence', ratioGradient: 'differentiable' },
  { surrogate: 'kl-cov', ratioLevel: 'sequence', ratioGradient: 'differentiable', ratioPenalty: 1 },
  { surrogate: 'dro', ratioLevel: 'turn', ratioGradient: 'differentiable', ratioPenalty: 1, policyGradient: NO_MASK },
  { offPolicyLimit: 0.05 },
  { offPolicyLimit: 0.02, ratioLevel: 'sequence', ratioGradient: 'differentiable', ratioBase: 'behaviour' },
  { policyGradient: NO_MASK, ratioLevel: 'turn', ratioGradient: 'differentiable', ratioBase: 'behaviour' },
  { policyGradient: NO_MASK, ratioLevel: 'sequence', ratioCap: 1.2 },
  { policyGradient: { observation: 1 } },
  { policyGradient: {} },
];

export const isCarrying = ({ policyGradient = ACTIONS }: CaseMember, role: number): boolean => {
  const name = ROLES[role];
  return name !== undefined && ((policyGradient as CaseMember['policyGradient'] & object)[name] ?? 0) !== 0;
};
