/** Arms that are compared, each as fields of a link with one arm. */
import type { LinkFields } from '../ledger';

/** Arm of the presets that each is made from. */
const SOURCE = {
  'action-mask': 'action-mask',
  'world-model': 'world-model',
  /** Predicts observations of other turns: the same loss, without information about the world. */
  placebo: 'world-model',
  /** Predicts observations of failed episodes only. */
  'failed-only': 'world-model',
} as const;

export type ArmId = keyof typeof SOURCE;

export interface SearchedArm {
  readonly learningRate: number;
  readonly learningRateWarmUp: number;
  readonly entropyCoefficient: number;
  readonly innerEpochs: number;
  readonly lambda: number;
}

export function armFields(arm: ArmId, { lambda, ...numbers }: SearchedArm): LinkFields {
  const id = SOURCE[arm];
  const settings = {
    ...numbers,
    ...(id === 'world-model' && { 'ce.observation': lambda }),
    ...(arm === 'placebo' && { placebo: true }),
    ...(arm === 'failed-only' && { worldModelTrajectories: 'failed' }),
  };
  const placed = Object.entries(settings).map(([key, value]) => [`arms.${id}.${key}`, value] as const);
  return { arms: id, ...Object.fromEntries(placed) };
}
