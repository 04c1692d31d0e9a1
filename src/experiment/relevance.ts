/**
 * Which settings matter to an arm as it is, in the environment it lives in: a clip range does nothing in REINFORCE, an
 * estimator nothing to a KL of weight 0, hindsight nothing where what was reached is no task. The screen shows those that
 * matter first; the others keep their values.
 */
import type { Environment } from '../environments/environment';
import { ROLES } from '../foundation/roles';
import type { Arm, ArmSettingPath } from './experiment';
import { isFixed } from './policyFiles';
import { ADVANTAGE } from './settings/advantage';
import { POLICY_OBJECTIVE } from './settings/policyObjective';
import { isOfReward, REWARD_PART_IDS, type RewardPart } from './settings/rewards';
import { WORLD_MODEL } from './settings/worldModel';

type Rule = (arm: Arm) => boolean;

/** Some role learns from the reward. */
export const learnsFromReward: Rule = ({ pg }) => ROLES.some((role) => pg[role] > 0);
/** Some role learns by prediction. */
export const learnsByPrediction: Rule = ({ ce }) => ROLES.some((role) => ce[role] > 0);

const never: Rule = () => false;
const both =
  (...rules: readonly Rule[]): Rule =>
  (arm) =>
    rules.every((rule) => rule(arm));
const either =
  (...rules: readonly Rule[]): Rule =>
  (arm) =>
    rules.some((rule) => rule(arm));
const surrogate =
  (...names: readonly Arm['surrogate'][]): Rule =>
  (arm) =>
    names.includes(arm.surrogate);
const credit =
  (...names: readonly Arm['advantageCredit'][]): Rule =>
  (arm) =>
    names.includes(arm.advantageCredit);

const takesRatio: Rule = (arm) => arm.surrogate !== 'reinforce';
const bounded = surrogate(
  'ppo',
  'cispo',
  'gmpo',
  'dppo-tv',
  'dppo-kl',
  'prime',
  'ipo',
  'clip-cov',
  'icepop',
  'reinforce-kl',
);
const oneSided: Rule = (arm) =>
  arm.surrogate === 'ipo' || (arm.surrogate === 'cispo' && arm.ratioBound === 'absolute-above');
/** The surrogate itself says how a segment's log-ratios combine, and what is differentiated. */
const ownSegment = surrogate('gmpo', 'vespo');
const detached = surrogate('cispo', 'dppo-tv', 'dppo-kl', 'icepop', 'reinforce-kl', 'vespo', 'gmpo');
const sharedRatio: Rule = (arm) => takesRatio(arm) && arm.ratioLevel !== 'token';
const regularised: Rule = (arm) => arm.klCoefficient > 0 || arm.entropyCoefficient > 0 || arm.valueCoefficient > 0;
const byTrajectory: Rule = (arm) => arm.aggregation.startsWith('seq-');
const valued = credit('gae', 'bilevel-gae');
const corrected: Rule = (arm) => arm.decodingCorrection !== 'none';
/** Baselines of every token's return by itself: a critic leaves them out. */
const byToken: Rule = (arm) => arm.advantageBaseline === 'greedy' || arm.advantageBaseline.startsWith('optimal');
const klInLoss: Rule = (arm) => arm.klCoefficient > 0;
const criticTrained: Rule = (arm) => arm.valueCoefficient > 0;
/** Credit by a critic that no loss trains: it values everything at 0. */
export const hasUntrainedCritic: Rule = both(valued, (arm) => !criticTrained(arm));
const scheduled: Rule = (arm) => arm.worldModelSchedule !== 'constant';
const deviations: Rule = (arm) =>
  arm.advantageScale.endsWith('deviation') || ['top-deviation', 'variance-mass'].includes(arm.groupFilter);
const aggregates = either(learnsFromReward, regularised);

/** A part of the reward that pays. */
const pays =
  (part: RewardPart): Rule =>
  (arm) =>
    arm.reward[part] !== 0;

const RULES: Readonly<Partial<Record<ArmSettingPath, Rule>>> = {
  clipLow: both(bounded, (arm) => !oneSided(arm)),
  clipHigh: bounded,
  ratioCap: surrogate('ppo', 'clip-cov', 'dppo-tv', 'dppo-kl'),
  ratioBound: surrogate('cispo'),
  sapoPositive: surrogate('sapo'),
  sapoNegative: surrogate('sapo'),
  ratioPenalty: surrogate('prime', 'ipo', 'dro', 'kl-cov'),
  backwardKl: surrogate('reinforce-kl'),
  forwardKl: surrogate('reinforce-kl'),
  policyKlForm: surrogate('reinforce-kl'),
  covarianceShare: surrogate('clip-cov', 'kl-cov'),
  covarianceLow: surrogate('clip-cov'),
  covarianceHigh: surrogate('clip-cov'),
  vespoPowerPositive: surrogate('vespo'),
  vespoScalePositive: surrogate('vespo'),
  vespoPowerNegative: surrogate('vespo'),
  vespoScaleNegative: surrogate('vespo'),
  ratioLevel: takesRatio,
  ratioReduction: both(sharedRatio, (arm) => !ownSegment(arm)),
  ratioGradient: both(sharedRatio, (arm) => !detached(arm)),
  ratioBase: takesRatio,
  logRatioClamp: both(takesRatio, (arm) => arm.surrogate !== 'vespo'),
  countedSequences: byTrajectory,
  lengthDenominator: (arm) => arm.aggregation === 'seq-mean-token-sum-norm',
  decodingLevel: both(corrected, (arm) => arm.decodingCorrection !== 'sequence-mask'),
  decodingLow: corrected,
  decodingHigh: corrected,

  ...Object.fromEntries(REWARD_PART_IDS.map((part) => [`rewardCap.${part}`, pays(part)])),
  outcomeForm: pays('outcome'),
  verifierNoise: pays('outcome'),
  lengthTarget: pays('length'),
  overlongCache: pays('overlong'),
  shapingEnd: pays('shaping'),
  subgoalCount: pays('subgoals'),

  candidates: (arm) => arm.taskChoice === 'near-half',
  failedShare: (arm) => arm.taskChoice === 'failed-again',
  difficultyUpdates: (arm) => arm.difficultyStart < 1,
  turnCapStep: (arm) => arm.turnCap > 0,
  turnCapUpdates: (arm) => arm.turnCap > 0,
  staleShare: (arm) => arm.staleness > 0,
  hindsight: (arm) => arm.imitation === 'none',

  // Parts have their own means in their groups.
  advantageBaseline: (arm) => arm.rewardSource !== 'normalised-parts' && !(valued(arm) && byToken(arm)),
  advantageDeviation: deviations,
  advantageEpsilon: (arm) => arm.advantageScale.endsWith('deviation') || arm.advantageScale === 'group-mean',
  // A batch's groups have two trajectories or more.
  singletonGroup: never,
  whiteningDeviation: (arm) => arm.whitening !== 'none',
  whiteningEpsilon: (arm) => arm.whitening !== 'none',
  discount: (arm) => arm.advantageCredit !== 'outcome',
  gaeLambda: both(valued, (arm) => arm.gaeLambdaLength === 0),
  gaeLambdaLength: valued,
  returnLambda: both(valued, criticTrained),
  creditClock: (arm) => arm.advantageCredit !== 'outcome',
  turnDiscount: either(credit('bilevel-gae'), (arm) => arm.stepWeight > 0),
  rewardKlEstimator: (arm) => arm.rewardKl > 0,
  groupFilterShare: (arm) => ['top-deviation', 'variance-mass'].includes(arm.groupFilter),

  valueClip: criticTrained,

  klEstimator: klInLoss,
  klStraightThrough: klInLoss,
  klClamp: klInLoss,
  klRatioWeighted: klInLoss,

  worldModelClip: (arm) => arm.worldModelForm === 'constant-advantage',
  worldModelThreshold: (arm) => arm.worldModelForm === 'probability-threshold',
  worldModelLength: (arm) => arm.worldModelSequenceDenominator === 'length',
  worldModelDenominator: (arm) => arm.worldModelBatchDenominator === 'given',
  worldModelTurnScope: (arm) => arm.worldModelTurnShare < 1,
  worldModelScheduleStart: scheduled,
  worldModelScheduleEnd: (arm) => arm.worldModelSchedule === 'linear',
  worldModelFinalScale: scheduled,
};

/** Of the policy objective, what KL, entropy and critic share. */
const SHARED: readonly ArmSettingPath[] = ['aggregation', 'countedSequences', 'lengthDenominator', 'lossScale'];

/** What a whole table of settings presupposes; prediction as a reward belongs to the policy gradient. */
function presupposed(path: ArmSettingPath): Rule {
  if (path === 'predictionReward' || isOfReward(path) || Object.hasOwn(ADVANTAGE, path)) return learnsFromReward;
  if (Object.hasOwn(WORLD_MODEL, path)) return learnsByPrediction;
  if (Object.hasOwn(POLICY_OBJECTIVE, path)) return SHARED.includes(path) ? aggregates : learnsFromReward;
  return () => true;
}

/** Of a fixed policy: what it plays and how, and what its episodes are paid. */
const OF_PLAYING: readonly ArmSettingPath[] = [
  'fixedPolicy',
  'temperature',
  'taskChoice',
  'candidates',
  'failedShare',
  'resampling',
  'difficultyStart',
  'difficultyUpdates',
  'turnCap',
  'turnCapStep',
  'turnCapUpdates',
];

function presupposedByPlaying(path: ArmSettingPath): boolean {
  return isOfReward(path) || OF_PLAYING.includes(path);
}

/** What a setting asks of the environment. */
const ASKED: Readonly<Partial<Record<ArmSettingPath, (environment: Environment) => boolean>>> = {
  hindsight: (environment) => environment.hindsight !== undefined,
  difficultyStart: (environment) => environment.difficulty !== undefined,
  difficultyUpdates: (environment) => environment.difficulty !== undefined,
};

/** `environment`: where the arm lives; null, or left out, where that is not known: it then rules nothing out. */
export function isRelevant(arm: Arm, path: ArmSettingPath, environment: Environment | null = null): boolean {
  const isOffered = environment === null || (ASKED[path]?.(environment) ?? true);
  const matters = isFixed(arm) ? presupposedByPlaying(path) : presupposed(path)(arm);
  return isOffered && matters && (RULES[path]?.(arm) ?? true);
}
