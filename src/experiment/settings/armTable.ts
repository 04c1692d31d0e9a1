/**
 * All settings of an arm. The table's keys are the paths in links, so they are short and flat; the page groups them by
 * section. Settings of the objective are declared in src/hyperparameters.
 */
import { ADVANTAGE } from '../../hyperparameters/advantage';
import { AGGREGATION } from '../../hyperparameters/aggregation';
import { CRITIC } from '../../hyperparameters/critic';
import { DISTILLATION } from '../../hyperparameters/distillation';
import { INVERSE_DYNAMICS } from '../../hyperparameters/inverseDynamics';
import { OPTIMISER } from '../../hyperparameters/optimiser';
import { POLICY_OBJECTIVE } from '../../hyperparameters/policyObjective';
import { isRegularised, REGULARISATION } from '../../hyperparameters/regularisation';
import { REWARD } from '../../hyperparameters/rewards';
import { type Condition, either, type SettingTable } from '../../hyperparameters/setting';
import { learnsByPrediction, learnsFromReward, WEIGHTS } from '../../hyperparameters/weights';
import { PREDICTION_REWARD, WORLD_MODEL } from '../../hyperparameters/worldModel';
import { OBJECTIVE } from './objectives';
import { SAMPLING } from './sampling';
import { WARM_START_ARM } from './warmStart';

export const ARM_TABLE = {
  ...OBJECTIVE,
  ...WEIGHTS,
  ...OPTIMISER,
  ...REWARD,
  ...ADVANTAGE,
  ...POLICY_OBJECTIVE,
  ...CRITIC,
  ...REGULARISATION,
  ...DISTILLATION,
  ...WORLD_MODEL,
  ...INVERSE_DYNAMICS,
  ...SAMPLING,
  ...WARM_START_ARM,
} as const;

/** Groups of settings on the screen, beside the table of loss weights. */
export const ARM_SECTIONS = [
  { id: 'world-model', title: 'World model', table: { ...WORLD_MODEL, ...INVERSE_DYNAMICS } },
  { id: 'reward', title: 'Reward', table: REWARD },
  { id: 'policy', title: 'Policy objective', table: POLICY_OBJECTIVE },
  { id: 'advantage', title: 'Advantage', table: ADVANTAGE },
  { id: 'regularisation', title: 'KL, distillation and entropy', table: { ...REGULARISATION, ...DISTILLATION } },
  { id: 'critic', title: 'Critic', table: CRITIC },
  { id: 'optimiser', title: 'Sampling and optimiser', table: OPTIMISER },
  { id: 'sampling', title: 'Tasks and trajectories', table: SAMPLING },
  { id: 'warm-start', title: 'Before training', table: WARM_START_ARM },
] as const;

/** Conditions under which a whole table matters; for a setting in several tables the first one counts. */
export const PREMISES: readonly (readonly [table: SettingTable, premise: Condition])[] = [
  [AGGREGATION, either(learnsFromReward, isRegularised)],
  [POLICY_OBJECTIVE, learnsFromReward],
  [ADVANTAGE, learnsFromReward],
  [REWARD, learnsFromReward],
  [PREDICTION_REWARD, learnsFromReward],
  [WORLD_MODEL, learnsByPrediction],
];
