/**
 * All settings of an arm. The table's keys are the paths in links, so they are short and flat; the sections are how the
 * screen groups them. tensor/columns names the column of the same name, where a setting has one.
 */
import { ADVANTAGE } from './advantage';
import { OBJECTIVE } from './objectives';
import { OPTIMISER } from './optimiser';
import { CRITIC, POLICY_OBJECTIVE } from './policyObjective';
import { REWARD } from './rewards';
import { SAMPLING } from './sampling';
import { WARM_START_ARM } from './warmStart';
import { WEIGHTS } from './weights';
import { REGULARISATION, WORLD_MODEL } from './worldModel';

export const ARM_TABLE = {
  ...OBJECTIVE,
  ...WEIGHTS,
  ...OPTIMISER,
  ...REWARD,
  ...ADVANTAGE,
  ...POLICY_OBJECTIVE,
  ...CRITIC,
  ...REGULARISATION,
  ...WORLD_MODEL,
  ...SAMPLING,
  ...WARM_START_ARM,
} as const;

/** What belongs together on the screen, beside the table of loss weights. */
export const ARM_SECTIONS = [
  { id: 'world-model', title: 'World model', table: WORLD_MODEL },
  { id: 'reward', title: 'Reward', table: REWARD },
  { id: 'policy', title: 'Policy objective', table: POLICY_OBJECTIVE },
  { id: 'advantage', title: 'Advantage', table: ADVANTAGE },
  { id: 'regularisation', title: 'KL and entropy', table: REGULARISATION },
  { id: 'critic', title: 'Critic', table: CRITIC },
  { id: 'optimiser', title: 'Sampling and optimiser', table: OPTIMISER },
  { id: 'sampling', title: 'Tasks and trajectories', table: SAMPLING },
  { id: 'warm-start', title: 'Before training', table: WARM_START_ARM },
] as const;
