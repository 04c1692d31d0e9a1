/** Loss weights of an arm: the strength of each of the two losses on the tokens of each role. */
import { ROLES } from '../foundation/roles';
import { type Condition, either, isAbove, real } from './setting';

function weight(loss: string, role: string, help: string, initial: number) {
  return real({ label: `${loss} on ${role}`, help, default: initial, min: 0, max: 10, soft: [0, 1], step: 0.01 });
}

const POLICY_GRADIENT = 'Policy gradient';
const CROSS_ENTROPY = 'Cross-entropy';

export const WEIGHTS = {
  pg: {
    prompt: weight(
      POLICY_GRADIENT,
      'prompt',
      'Rewards the policy for a prompt it did not write: a mistake to study.',
      0,
    ),
    action: weight(
      POLICY_GRADIENT,
      'actions',
      'Makes actions of better trajectories likelier: reinforcement itself.',
      1,
    ),
    observation: weight(
      POLICY_GRADIENT,
      'observations',
      'Rewards the policy for what the environment said: the forgotten mask.',
      0,
    ),
    warning: weight(
      POLICY_GRADIENT,
      'warnings',
      'Rewards the policy for complaints about its malformed actions: also a forgotten mask.',
      0,
    ),
  },
  ce: {
    prompt: weight(CROSS_ENTROPY, 'prompt', 'Trains the policy to predict the prompt.', 0),
    action: weight(CROSS_ENTROPY, 'actions', 'Trains the policy to repeat its own actions, whatever they earned.', 0),
    observation: {
      ...weight(
        CROSS_ENTROPY,
        'observations',
        'Cross-entropy on observations: trains the policy to predict what the environment answers.',
        0,
      ),
      label: 'World-model weight λ',
    },
    warning: weight(CROSS_ENTROPY, 'warnings', 'Trains the policy to predict complaints about malformed actions.', 0),
  },
} as const;

/** True if some role learns from the reward. */
export const learnsFromReward: Condition = either(...ROLES.map((role) => isAbove(WEIGHTS.pg[role])));
/** True if some role learns by prediction. */
export const learnsByPrediction: Condition = either(...ROLES.map((role) => isAbove(WEIGHTS.ce[role])));
