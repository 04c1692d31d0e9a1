/** Warnings about settings of an arm: combinations that do something other than their names say. */
import type { Arm, ArmSettingPath } from '../experiment';
import { hasUntrainedCritic, learnsFromReward } from './relevance';

type Warning = (arm: Arm) => string | null;

const untrainedCritic: Warning = (arm) =>
  hasUntrainedCritic(arm) && learnsFromReward(arm)
    ? 'No critic is trained: its values stay at 0, so this is the plain reward to go, discounted by γ · λ.'
    : null;

const uncorrectedSteps: Warning = (arm) =>
  arm.innerEpochs * arm.minibatches > 1 && arm.surrogate === 'reinforce' && learnsFromReward(arm)
    ? 'This surrogate has no ratio: steps after the first are off-policy, and nothing corrects them.'
    : null;

const uncorrectedSampling: Warning = (arm) =>
  (arm.topP < 1 || arm.uniformShare > 0) &&
  arm.ratioBase === 'old' &&
  arm.decodingCorrection === 'none' &&
  learnsFromReward(arm)
    ? 'Actions are drawn from another distribution than the policy, and nothing corrects for it: “Ratio to” what decoding recorded does, or a correction for decoding.'
    : null;

const uncorrectedReplay: Warning = (arm) =>
  arm.replay === 'policy-gradient' && arm.ratioBase === 'old'
    ? 'Replayed episodes are taken for the policy’s own: “Ratio to” what decoding recorded weighs them by the policy that played them.'
    : null;

const RULES: Readonly<Partial<Record<ArmSettingPath, Warning>>> = {
  advantageCredit: untrainedCritic,
  valueCoefficient: untrainedCritic,
  innerEpochs: uncorrectedSteps,
  minibatches: uncorrectedSteps,
  topP: uncorrectedSampling,
  uniformShare: uncorrectedSampling,
  replay: uncorrectedReplay,
  gaeLambdaLength: ({ gaeLambdaLength: alpha }) =>
    alpha > 0 && alpha < 1
      ? `λ is 0 up to ${Math.floor(1 / alpha + 1e-9)} action tokens: only the critic’s next value counts there.`
      : null,
};

/** Warning about a setting of an arm; null if there is none. */
export function warningOf(arm: Arm, path: ArmSettingPath): string | null {
  return RULES[path]?.(arm) ?? null;
}
