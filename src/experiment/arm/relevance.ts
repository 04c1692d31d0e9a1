/**
 * Relevance of settings to an arm in its environment. A clip range does nothing in REINFORCE, nor an estimator of a KL
 * with weight 0, nor hindsight where a state reached is no task. Each setting's declaration has the condition. The screen
 * shows relevant settings first; the others keep their values.
 */
import type { Environment } from '../../environments/environment';
import * as credit from '../../hyperparameters/credit';
import { isOfReward } from '../../hyperparameters/rewards';
import type { Condition } from '../../hyperparameters/setting';
import * as weights from '../../hyperparameters/weights';
import { type Arm, type ArmSettingPath, findArmSetting } from '../experiment';
import { PREMISES } from '../settings/tables';
import { readerOf } from './armReader';
import { formulaOf, lossPath } from './ownLosses';
import { isFixed } from './policyFiles';
import { formulaLosses } from './roleRegularisers';

/** True if a condition holds for an arm. */
const holds = (condition: Condition, arm: Arm): boolean => condition(readerOf(arm));

/** True if some role learns from the reward. */
export const learnsFromReward = (arm: Arm): boolean => holds(weights.learnsFromReward, arm);
/** True if some role learns by prediction. */
export const learnsByPrediction = (arm: Arm): boolean => holds(weights.learnsByPrediction, arm);
/** True if credit comes from a critic that no loss trains: it values everything at 0. */
export const hasUntrainedCritic = (arm: Arm): boolean => holds(credit.hasUntrainedCritic, arm);

/** True if its loss, its reward or a formula of it depends on the reference policy's log-probs, so that every update needs them. */
export const takesReference = (arm: Arm): boolean =>
  !isFixed(arm) &&
  (arm.klCoefficient !== 0 ||
    arm.rewardKl !== 0 ||
    formulaLosses(arm).some(({ text }) => formulaOf(text).reads.has('ref_logp')));

/** Settings that matter to a fixed policy: those of its play and of its episodes' reward. */
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

const hasAnswers = ({ answer }: Environment): boolean => answer !== undefined;
const hasTools = ({ toolWords = [] }: Environment): boolean => toolWords.length > 0;
const hasExpert = (environment: Environment): boolean =>
  environment.parts?.every((part) => hasExpert(part.environment)) ??
  environment.hasExpert ??
  environment.createWorld(1).expert !== undefined;
const hasThoughts = ({ thoughts }: Environment): boolean => thoughts !== undefined;

/** Conditions that a setting puts on the environment. */
const ASKED: Readonly<Partial<Record<ArmSettingPath, (environment: Environment) => boolean>>> = {
  hindsight: (environment) => environment.hindsight !== undefined,
  difficultyStart: (environment) => environment.difficulty !== undefined,
  difficultyUpdates: (environment) => environment.difficulty !== undefined,
  'reward.information': hasAnswers,
  'rewardCap.information': hasAnswers,
  'reward.agreement': hasAnswers,
  'rewardCap.agreement': hasAnswers,
  'reward.variety': hasTools,
  'rewardCap.variety': hasTools,
  'reward.calls': hasExpert,
  'rewardCap.calls': hasExpert,
  'pg.thought': hasThoughts,
  'ce.thought': hasThoughts,
  'kl.thought': hasThoughts,
  'entropy.thought': hasThoughts,
};

/** True if the condition of the whole table that holds the setting is met. */
function isPresupposed(arm: Arm, path: ArmSettingPath): boolean {
  if (isFixed(arm)) return isOfReward(path) || OF_PLAYING.includes(path);
  const [key = ''] = path.split('.');
  const premise = PREMISES.find(([table]) => Object.hasOwn(table, key))?.[1];
  return premise === undefined || holds(premise, arm);
}

/** True if a setting can have an effect in an environment. */
export const isOffered = (path: ArmSettingPath, environment: Environment): boolean =>
  ASKED[path]?.(environment) ?? true;

/** True if a setting has an effect on the arm. `environment` null or left out is unknown, and rules nothing out. */
export function isRelevant(arm: Arm, path: string, environment: Environment | null = null): boolean {
  const setting = findArmSetting(path);
  // A number of a user's loss.
  if (setting === undefined) return lossPath(path) !== null;
  const { when } = setting;
  const isThere = environment === null || isOffered(setting.path, environment);
  return isThere && isPresupposed(arm, setting.path) && (when === undefined || holds(when, arm));
}
