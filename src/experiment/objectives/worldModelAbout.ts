/** Source, reason and caveat of each objective in worldModel.ts. */
import { about, type ObjectiveAbout } from './preset';

/** Caveat of sources that take cross-entropy at the sampling temperature. */
const tempered = (where: string): string =>
  `Cross-entropy is taken at temperature 1 here, in ${where} at the sampling temperature.`;
const ON_POLICY = 'The paper takes one step on each batch, strictly on-policy: set inner epochs to 1.';
const PAW_CAVEAT =
  'Partly guessed: the public text leaves λ’s base, the scope of the share and the reading of the threshold open.';

export const WORLD_MODEL_ABOUT = {
  'world-model': about(
    'made for this lab',
    'The lab’s GRPO, and λ = 0.1 of cross-entropy on observations, each loss averaged over its own tokens.',
    '',
  ),
  echo: about(
    'arXiv 2605.24517',
    'Every rollout teaches what the environment answers, also those that earn nothing.',
    `A trajectory’s loss is divided by its observations and warnings; warnings are not predicted. The paper clips at 0.28 above, the code at 0.2. ${ON_POLICY} ${tempered('SkyRL')}`,
  ),
  'echo-paper': about(
    'arXiv 2605.24517',
    'The same with the paper’s second equation for the policy: a mean over tokens, and a wider clip above.',
    `Elsewhere the paper itself says that it averages by trajectory. ${ON_POLICY} ${tempered('SkyRL')}`,
  ),
  'echo-verl': about(
    'verl-recipe',
    'verl’s recipe: predicted tokens are averaged by trajectory as actions are.',
    `Simplifies the denominator: warnings do not count in it. ${tempered('verl')}`,
  ),
  'echo-prime-rl': about(
    'prime-rl',
    'prime-rl’s loss with λ = 0.1 on tool output, each averaged over its own tokens.',
    `There λ may differ by role and a filter may narrow the tokens. ${tempered('prime-rl')}`,
  ),
  'echo-trl': about(
    'OpenEnv on TRL',
    'OpenEnv’s demonstration on TRL’s GRPO trainer, λ = 0.1 over the observation tokens of the batch.',
    `There the mean is taken over each microbatch. ${tempered('TRL')}`,
  ),
  'echo-rllm': about(
    'rLLM',
    'rLLM on verl: everything that is no action is predicted, warnings too.',
    `In training both losses are divided by the number of actions, so an observation weighs λ of an action. ${tempered('verl')}`,
  ),
  'echo-constant-advantage': about(
    'OpenEnv RFC 010',
    'Treats each observation as an action of advantage 1: the same as cross-entropy at the first step, then limited by the clip.',
    `Once a token’s ratio has risen by 0.2 it is no longer pushed; cross-entropy goes on. ${tempered('trainers such as TRL')}`,
  ),
  'paw-low': about(
    'arXiv 2606.02388',
    'Learns after uncertain actions only, more where the group fails, and stops at a probability of 0.2.',
    PAW_CAVEAT,
  ),
  'paw-high': about(
    'arXiv 2606.02388',
    'The same, its threshold read the other way: it stops at a probability of 0.8.',
    PAW_CAVEAT,
  ),
  actobs: about(
    'arXiv 2609.20715',
    'Before reinforcement: imitate whole successful trajectories, actions and observations alike.',
    'Demonstrations are the arm’s own successes. Change to GRPO while it trains for the second half of the method.',
  ),
  'env-only': about(
    'arXiv 2605.24517',
    'No reward at all: only predicts what the environment answers; may help a policy that is competent already.',
    'From scratch it cannot learn to act.',
  ),
  'failed-only': about(
    'made for this lab',
    'Is it the failures that teach? Predicts only in trajectories that earned nothing.',
    'The argument of ECHO’s authors, which their paper does not isolate.',
  ),
  'solved-only': about(
    'made for this lab',
    'The counterpart: predicts only in trajectories that reached their goal.',
    'Early on there are few of them.',
  ),
  'shared-denominator': about(
    'made for this lab',
    'Prediction is divided by actions and observations together: an observation weighs λ · A/(A + O) of an action, A and O their numbers.',
    'A trainer that divides both losses by A + O also weakens the policy; here actions keep their own number.',
  ),
  'step-decay': about(
    'made for this lab',
    'Predicts at first, then hands over to the policy gradient alone at update 150.',
    'ECHO’s paper keeps λ constant; its code offers a step.',
  ),
  'no-mask': about(
    'arXiv 2503.09516',
    'The forgotten mask: observations are pushed up or down by the reward, as if the policy had written them.',
    'Search-R1 measured 0.343 without a mask against 0.431 with one.',
  ),
  placebo: about(
    'arXiv 2607.21273',
    'Predicts shuffled observations: if it helps as much, what helped was not the dynamics.',
    'There a shuffled target matched the true one, with one seed.',
  ),
  'prediction-reward': about(
    'arXiv 2607.21273',
    'Pays for good predictions in reward: the policy may learn to stay where everything is predictable.',
    'In a group that all fails, dividing by the deviation makes any small bonus large.',
  ),
  'prediction-reward-no-std': about(
    'arXiv 2607.21273',
    'The same without dividing by the deviation, which restores parity in the paper.',
    '',
  ),
} as const satisfies Record<string, ObjectiveAbout>;
