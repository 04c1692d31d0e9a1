/**
 * Objectives that also predict observations, and the controls without which they prove little. λ is taken from the papers
 * or their code; small policies trained from scratch often need more.
 */
import type { ObjectiveDescription } from './preset';

type Settings = ObjectiveDescription['settings'];

const describe =
  (family: ObjectiveDescription['family']) =>
  (settings: Settings): ObjectiveDescription => ({ family, settings });
const worldModel = describe('world-model');
const control = describe('control');

/** Policy gradient beside the prediction: GRPO, each trajectory counting alike, no KL and no entropy bonus. */
const GRPO = {
  advantageEpsilon: 1e-6,
  aggregation: 'seq-mean-token-mean',
  entropyCoefficient: 0,
} as const;
const ECHO = {
  ...GRPO,
  'ce.observation': 0.05,
  worldModelSequenceDenominator: 'observation-tokens',
  worldModelBatchDenominator: 'sequences',
} as const;
const PAW = {
  ...GRPO,
  'ce.observation': 1,
  worldModelForm: 'probability-threshold',
  worldModelTurnShare: 0.75,
  worldModelRewardScale: 1,
  worldModelSequenceDenominator: 'group-selected-tokens',
  worldModelBatchDenominator: 'groups',
} as const;

export const WORLD_MODEL_OBJECTIVES = {
  'world-model': worldModel({ 'ce.observation': 0.1 }),
  echo: worldModel({ ...ECHO, countedSequences: 'all', worldModelCountEpsilon: 0.001 }),
  'echo-paper': worldModel({ ...ECHO, aggregation: 'token-mean', clipHigh: 0.28 }),
  'echo-verl': worldModel({
    ...GRPO,
    'ce.observation': 0.05,
    worldModelSequenceDenominator: 'selected-tokens',
    worldModelBatchDenominator: 'selected-sequences',
    worldModelCountEpsilon: 1e-8,
  }),
  'echo-prime-rl': worldModel({
    surrogate: 'prime',
    advantageScale: 'none',
    ratioBase: 'behaviour',
    logRatioClamp: 'none',
    ratioPenalty: 0.001,
    entropyCoefficient: 0,
    'ce.observation': 0.1,
  }),
  'echo-trl': worldModel({ logRatioClamp: 'none', entropyCoefficient: 0, 'ce.observation': 0.1 }),
  'echo-rllm': worldModel({
    advantageDeviation: 'population',
    advantageEpsilon: 1e-6,
    entropyCoefficient: 0,
    'ce.observation': 0.05,
    'ce.warning': 0.05,
    worldModelBatchDenominator: 'action-tokens',
  }),
  'echo-constant-advantage': worldModel({
    entropyCoefficient: 0,
    'ce.observation': 0.05,
    worldModelForm: 'constant-advantage',
    worldModelClip: 0.2,
  }),
  'paw-low': worldModel({ ...PAW, worldModelThreshold: 0.2 }),
  'paw-high': worldModel({ ...PAW, worldModelThreshold: 0.8 }),
  actobs: worldModel({
    'pg.action': 0,
    'ce.action': 1,
    'ce.observation': 1,
    worldModelTrajectories: 'solved',
    entropyCoefficient: 0,
  }),
  'env-only': worldModel({ 'pg.action': 0, 'ce.observation': 1, entropyCoefficient: 0 }),
  'failed-only': worldModel({ 'ce.observation': 0.1, worldModelTrajectories: 'failed' }),
  'solved-only': worldModel({ 'ce.observation': 0.1, worldModelTrajectories: 'solved' }),
  'shared-denominator': worldModel({ 'ce.observation': 0.1, worldModelBatchDenominator: 'all-tokens' }),
  'step-decay': worldModel({
    'ce.observation': 0.1,
    worldModelSchedule: 'step',
    worldModelScheduleStart: 150,
    worldModelFinalScale: 0,
  }),
  'no-mask': control({ 'pg.observation': 1 }),
  placebo: control({ 'ce.observation': 0.1, placebo: true }),
  'prediction-reward': control({ predictionReward: 0.1 }),
  'prediction-reward-no-std': control({ predictionReward: 0.1, advantageScale: 'none' }),
} as const satisfies Record<string, ObjectiveDescription>;
