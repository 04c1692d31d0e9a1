/** Hyperparameter tensors for cases: plausible values, different for each member. */
import { ROLE, type RoleWeights } from '../../foundation/roles';
import { SURROGATE } from '../../hyperparameters/surrogateNumbers';
import { HYPER, HYPER_COLUMNS } from '../../tensor/layout';
import { f32, type TensorSpec } from './case';

export interface HyperOptions
  extends Partial<Record<Exclude<keyof typeof HYPER, 'policyGradient' | 'crossEntropy'>, number>> {
  readonly policyGradient?: Partial<RoleWeights>;
  readonly crossEntropy?: Partial<RoleWeights>;
}

/** Numbers that have no meaning at 0. */
export const ofOneSurrogate = Object.fromEntries(
  (
    [
      'sapoPositive',
      'sapoNegative',
      'vespoPowerPositive',
      'vespoScalePositive',
      'vespoPowerNegative',
      'vespoScaleNegative',
    ] as const
  ).map((name) => [name, SURROGATE[name].default]),
);

const DEFAULTS: HyperOptions = {
  learningRate: 3e-3,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradNorm: 1,
  clipLow: 0.2,
  clipHigh: 0.28,
  klCoefficient: 0,
  entropyCoefficient: 0,
  temperature: 1,
  advantageEpsilon: 1e-4,
  valueCoefficient: 0.7,
  ...ofOneSurrogate,
};

/** Hyperparameters [P, HYPER_COLUMNS] from one entry a member; DEFAULTS for those left out, 0 for a role's weights. */
export function hyperTensor(...members: readonly HyperOptions[]): TensorSpec {
  const data = new Float32Array(members.length * HYPER_COLUMNS);
  members.forEach((own, p) => {
    const { policyGradient = {}, crossEntropy = {}, ...numbers } = { ...DEFAULTS, ...own };
    const put = (column: number, value: number): void => {
      data[p * HYPER_COLUMNS + column] = value;
    };
    for (const [name, value] of Object.entries(numbers)) put(HYPER[name as keyof typeof numbers], value);
    for (const [role, weight] of Object.entries(policyGradient)) {
      put(HYPER.policyGradient + ROLE[role as keyof RoleWeights], weight);
    }
    for (const [role, weight] of Object.entries(crossEntropy)) {
      put(HYPER.crossEntropy + ROLE[role as keyof RoleWeights], weight);
    }
  });
  return f32(members.length, data);
}

/** Settings of members: the lab's two arms, and a third that uses every loss. */
export const ACTION_MASK: HyperOptions = { policyGradient: { action: 1 } };
export const WORLD_MODEL: HyperOptions = {
  policyGradient: { action: 1 },
  crossEntropy: { observation: 0.05 },
  temperature: 0.7,
};
export const EVERYTHING: HyperOptions = {
  policyGradient: { prompt: 0.5, action: 1, observation: 0.25, warning: -0.75, thought: 0.6 },
  crossEntropy: { prompt: 0.1, action: 0.3, observation: 0.05, warning: 0.2, thought: 0.15 },
  temperature: 1.3,
  klCoefficient: 0.04,
  entropyCoefficient: 0.02,
  klThought: 0.06,
  entropyThought: 0.01,
};
