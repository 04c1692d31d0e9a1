/**
 * Which settings matter to an arm as it is, in the environment it lives in: a clip range does nothing in REINFORCE, an
 * estimator nothing to a KL of weight 0, hindsight nothing where what was reached is no task. Each setting's declaration
 * says when it does. The screen shows those that matter first; the others keep their values.
 */
import type { Environment } from '../environments/environment';
import * as credit from '../hyperparameters/credit';
import { isOfReward } from '../hyperparameters/rewards';
import type { Condition } from '../hyperparameters/setting';
import * as weights from '../hyperparameters/weights';
import { readerOf } from './armReader';
import { type Arm, type ArmSettingPath, findArmSetting } from './experiment';
import { isFixed } from './policyFiles';
import { PREMISES } from './settings';

/** True if a condition holds for an arm. */
const holds = (condition: Condition, arm: Arm): boolean => condition(readerOf(arm));

/** Some role learns from the reward. */
export const learnsFromReward = (arm: Arm): boolean => holds(weights.learnsFromReward, arm);
/** Some role learns by prediction. */
export const learnsByPrediction = (arm: Arm): boolean => holds(weights.learnsByPrediction, arm);
/** Credit by a critic that no loss trains: it values everything at 0. */
export const hasUntrainedCritic = (arm: Arm): boolean => holds(credit.hasUntrainedCritic, arm);

/** Settings that matter to a fixed policy: what it plays and how, and what its episodes are paid. */
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

/** What a setting asks of the environment. */
const ASKED: Readonly<Partial<Record<ArmSettingPath, (environment: Environment) => boolean>>> = {
  hindsight: (environment) => environment.hindsight !== undefined,
  difficultyStart: (environment) => environment.difficulty !== undefined,
  difficultyUpdates: (environment) => environment.difficulty !== undefined,
};

/** Condition of the whole table that a setting stands in. */
function isPresupposed(arm: Arm, path: ArmSettingPath): boolean {
  if (isFixed(arm)) return isOfReward(path) || OF_PLAYING.includes(path);
  const [key = ''] = path.split('.');
  const premise = PREMISES.find(([table]) => Object.hasOwn(table, key))?.[1];
  return premise === undefined || holds(premise, arm);
}

/** `environment`: where the arm lives; null, or left out, where that is not known: it then rules nothing out. */
export function isRelevant(arm: Arm, path: ArmSettingPath, environment: Environment | null = null): boolean {
  const isOffered = environment === null || (ASKED[path]?.(environment) ?? true);
  const when = findArmSetting(path)?.when;
  return isOffered && isPresupposed(arm, path) && (when === undefined || holds(when, arm));
}
