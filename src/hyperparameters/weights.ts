/** Weight of each loss on the tokens of each role: the table of arms. */
import { ROLES, type Role, type RoleWeights } from '../foundation/roles';
import { REGULARISATION } from './regularisation';
import { type Condition, either, isAbove, onHost, real } from './setting';

function weight(loss: string, role: string, help: string, initial: number) {
  return real({ label: `${loss} on ${role}`, help, default: initial, min: 0, max: 10, soft: [0, 1], step: 0.01 });
}

/**
 * Factor of a regulariser's coefficient on the tokens of a role. Beyond actions it is a loss of its own, averaged over those
 * tokens: a mask that was left out of the KL (Search-R1 #21, slime #1372) or of the entropy bonus.
 */
function regulariser(loss: 'KL' | 'Entropy', role: string, help: string, initial: number) {
  const { klCoefficient, entropyCoefficient } = REGULARISATION;
  return onHost({
    ...weight(loss, role, help, initial),
    when: isAbove(loss === 'KL' ? klCoefficient : entropyCoefficient),
  });
}

/** Value of a weight on thoughts that means the action's: the default. */
export const AS_ACTIONS = -1;

/** The weight on the tokens of a role: thoughts have that of actions until they have their own. */
export const weightOn = (weights: Readonly<RoleWeights>, role: Role): number =>
  role === 'thought' && weights.thought < 0 ? weights.action : weights[role];

/** An arm's tables with the weights on thoughts written out, for a world that has thoughts. */
export function spelledOut<A extends Readonly<Record<'pg' | 'ce' | 'kl' | 'entropy', RoleWeights>>>(arm: A): A {
  const table = (weights: RoleWeights): RoleWeights => ({ ...weights, thought: weightOn(weights, 'thought') });
  return { ...arm, pg: table(arm.pg), ce: table(arm.ce), kl: table(arm.kl), entropy: table(arm.entropy) };
}

/** Setting of a weight on thoughts; worlds without thoughts have none, so it does nothing there. */
const onThoughts = <S extends { readonly min: number; readonly default: number }>(setting: S) => ({
  ...setting,
  default: AS_ACTIONS,
  min: AS_ACTIONS,
});

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
    thought: onThoughts(
      weight(
        POLICY_GRADIENT,
        'thoughts',
        'Makes thoughts before better actions likelier; −1: the weight of actions.',
        1,
      ),
    ),
  },
  ce: {
    prompt: weight(CROSS_ENTROPY, 'prompt', 'Trains the policy to predict the prompt.', 0),
    action: weight(CROSS_ENTROPY, 'actions', 'Trains the policy to repeat its own actions, whatever they earned.', 0),
    observation: {
      ...weight(CROSS_ENTROPY, 'observations', 'How strongly the policy learns to predict the world’s answers.', 0),
      label: 'Prediction weight λ',
    },
    warning: weight(CROSS_ENTROPY, 'warnings', 'Trains the policy to predict complaints about malformed actions.', 0),
    thought: onThoughts(
      weight(CROSS_ENTROPY, 'thoughts', 'Trains the policy to repeat its own thoughts; −1: the weight of actions.', 0),
    ),
  },
  kl: {
    prompt: regulariser('KL', 'prompt', 'Holds what the policy thinks of the prompt to the reference: a leak.', 0),
    action: regulariser('KL', 'actions', 'Factor of the KL penalty where it belongs: on what the policy wrote.', 1),
    observation: regulariser(
      'KL',
      'observations',
      'Holds predictions of the environment to the reference: a KL whose mask was forgotten.',
      0,
    ),
    warning: regulariser('KL', 'warnings', 'The same on complaints about malformed actions.', 0),
    thought: onThoughts(
      regulariser('KL', 'thoughts', 'Factor of the KL penalty on thoughts; −1: the factor of actions.', 1),
    ),
  },
  entropy: {
    prompt: regulariser('Entropy', 'prompt', 'Rewards doubt about the prompt: a leak.', 0),
    action: regulariser('Entropy', 'actions', 'Factor of the entropy bonus where it belongs: on actions.', 1),
    observation: regulariser(
      'Entropy',
      'observations',
      'Rewards doubt about what the environment says: a bonus whose mask was forgotten.',
      0,
    ),
    warning: regulariser('Entropy', 'warnings', 'The same on complaints about malformed actions.', 0),
    thought: onThoughts(
      regulariser('Entropy', 'thoughts', 'Factor of the entropy bonus on thoughts; −1: the factor of actions.', 1),
    ),
  },
} as const;

/** True if some role learns from the reward. */
export const learnsFromReward: Condition = either(...ROLES.map((role) => isAbove(WEIGHTS.pg[role])));
/** True if some role learns by prediction. */
export const learnsByPrediction: Condition = either(...ROLES.map((role) => isAbove(WEIGHTS.ce[role])));
