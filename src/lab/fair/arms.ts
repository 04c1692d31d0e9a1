/** The arms that are compared, as fields of a link of one arm. */
import type { Fields } from './runs';

/** In a preset these are arms; here each run has one. */
const SOURCE = {
  'action-mask': 'action-mask',
  'world-model': 'world-model',
  /** Predicts observations of other turns: the same loss, and nothing of the world in it. */
  placebo: 'world-model',
  /** Predicts observations of episodes that failed alone. */
  'failed-only': 'world-model',
} as const;

export type ArmId = keyof typeof SOURCE;

export interface ArmNumbers {
  readonly learningRate: number;
  readonly learningRateWarmUp: number;
  readonly entropyCoefficient: number;
  readonly innerEpochs: number;
  readonly lambda: number;
}

export function armFields(arm: ArmId, { lambda, ...numbers }: ArmNumbers): Fields {
  const id = SOURCE[arm];
  const own = {
    ...numbers,
    ...(id === 'world-model' && { 'ce.observation': lambda }),
    ...(arm === 'placebo' && { placebo: true }),
    ...(arm === 'failed-only' && { worldModelTrajectories: 'failed' }),
  };
  const placed = Object.entries(own).map(([key, value]) => [`arms.${id}.${key}`, value] as const);
  return { arms: id, ...Object.fromEntries(placed) };
}
