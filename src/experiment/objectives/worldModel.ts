/**
 * Objectives that also predict observations, and the controls without which they prove little. λ is taken from the papers
 * or their code; small policies trained from scratch often need more.
 */
import type { ObjectiveDescription } from './preset';

type Settings = ObjectiveDescription['settings'];

const describe =
  (family: ObjectiveDescription['family']) =>
  (citation: string, reason: string, caveat: string, settings: Settings): ObjectiveDescription => ({
    family,
    citation,
    reason,
    caveat,
    settings,
  });
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
/** Caveat of sources that take cross-entropy at the sampling temperature. */
const tempered = (where: string): string =>
  `Cross-entropy is at temperature 1 here, at the sampling temperature in ${where}: equal at temperature 1.`;
const ON_POLICY = 'The paper takes one step on each batch, strictly on-policy: set inner epochs to 1.';
const PAW_CAVEAT =
  'Reconstructed: λ’s base, the scope of the share and the reading of the threshold are not settled by what is public.';

export const WORLD_MODEL_OBJECTIVES = {
  'world-model': worldModel(
    'this lab',
    'The lab’s GRPO, and λ = 0.1 of cross-entropy on observations, each loss averaged over its own tokens.',
    '',
    { 'ce.observation': 0.1 },
  ),
  echo: worldModel(
    'arXiv 2605.24517',
    'Every rollout teaches what the environment answers, also those that earn nothing.',
    `Each trajectory is divided by its observations and warnings, warnings are not predicted. The paper clips at 0.28 above, the code at 0.2. ${ON_POLICY} ${tempered('SkyRL')}`,
    { ...ECHO, countedSequences: 'all', worldModelCountEpsilon: 0.001 },
  ),
  'echo-paper': worldModel(
    'arXiv 2605.24517',
    'The same with the paper’s second equation for the policy: a mean over tokens, and a clip that is higher above.',
    `Elsewhere the paper itself says that it averages by trajectory. ${ON_POLICY} ${tempered('SkyRL')}`,
    { ...ECHO, aggregation: 'token-mean', clipHigh: 0.28 },
  ),
  'echo-verl': worldModel(
    'verl-recipe',
    'verl’s recipe: predicted tokens are averaged by trajectory as actions are.',
    `Simplifies the denominator: warnings do not count in it. ${tempered('verl')}`,
    {
      ...GRPO,
      'ce.observation': 0.05,
      worldModelSequenceDenominator: 'selected-tokens',
      worldModelBatchDenominator: 'selected-sequences',
      worldModelCountEpsilon: 1e-8,
    },
  ),
  'echo-prime-rl': worldModel(
    'prime-rl',
    'prime-rl’s loss with λ = 0.1 on tool output, each averaged over its own tokens.',
    `There λ may differ by role and a filter may narrow the tokens. ${tempered('prime-rl')}`,
    {
      surrogate: 'prime',
      advantageScale: 'none',
      ratioBase: 'behaviour',
      logRatioClamp: 'none',
      ratioPenalty: 0.001,
      entropyCoefficient: 0,
      'ce.observation': 0.1,
    },
  ),
  'echo-trl': worldModel(
    'OpenEnv on TRL',
    'OpenEnv’s demonstration on TRL’s GRPO trainer, λ = 0.1 over the observation tokens of the batch.',
    `There the mean is taken over each microbatch. ${tempered('TRL')}`,
    { logRatioClamp: 'none', entropyCoefficient: 0, 'ce.observation': 0.1 },
  ),
  'echo-rllm': worldModel(
    'rLLM',
    'rLLM on verl: everything that is no action is predicted, warnings too.',
    `In training both losses are divided by the number of actions, so an observation weighs λ of an action. ${tempered('verl')}`,
    {
      advantageDeviation: 'population',
      advantageEpsilon: 1e-6,
      entropyCoefficient: 0,
      'ce.observation': 0.05,
      'ce.warning': 0.05,
      worldModelBatchDenominator: 'action-tokens',
    },
  ),
  'echo-constant-advantage': worldModel(
    'OpenEnv RFC 010',
    'Prediction as a policy gradient of constant advantage: the same on the first inner step, bounded afterwards.',
    `Once a token’s ratio has risen by 0.2 it is no longer pushed; cross-entropy goes on. ${tempered('trainers such as TRL')}`,
    { entropyCoefficient: 0, 'ce.observation': 0.05, worldModelForm: 'constant-advantage', worldModelClip: 0.2 },
  ),
  'paw-low': worldModel(
    'arXiv 2606.02388',
    'Learns after uncertain actions only, more where the group fails, and stops at a probability of 0.2.',
    PAW_CAVEAT,
    { ...PAW, worldModelThreshold: 0.2 },
  ),
  'paw-high': worldModel(
    'arXiv 2606.02388',
    'The same, its threshold read the other way: it stops at a probability of 0.8.',
    PAW_CAVEAT,
    { ...PAW, worldModelThreshold: 0.8 },
  ),
  actobs: worldModel(
    'arXiv 2609.20715',
    'Before reinforcement: imitate whole successful trajectories, actions and observations alike.',
    'Demonstrations are the arm’s own successes. Change to GRPO while it trains for the second half of the method.',
    { 'pg.action': 0, 'ce.action': 1, 'ce.observation': 1, worldModelTrajectories: 'solved', entropyCoefficient: 0 },
  ),
  'env-only': worldModel(
    'arXiv 2605.24517',
    'No reward at all: only predicts what the environment answers; may help a policy that is competent already.',
    'From scratch it cannot learn to act.',
    { 'pg.action': 0, 'ce.observation': 1, entropyCoefficient: 0 },
  ),
  'failed-only': worldModel(
    'this lab',
    'Is it the failures that teach? Predicts only in trajectories that earned nothing.',
    'The argument of ECHO’s authors, which their paper does not isolate.',
    { 'ce.observation': 0.1, worldModelTrajectories: 'failed' },
  ),
  'solved-only': worldModel(
    'this lab',
    'The counterpart: predicts only in trajectories that reached their goal.',
    'Early on there are few of them.',
    { 'ce.observation': 0.1, worldModelTrajectories: 'solved' },
  ),
  'shared-denominator': worldModel(
    'this lab',
    'Prediction is divided by actions and observations together: an observation weighs λ · A/(A + O) of an action, A and O their numbers.',
    'Actions are still divided by their own number. A trainer that divides both losses by A + O also weakens the policy, and there an observation weighs λ of an action, as in ECHO on rLLM.',
    { 'ce.observation': 0.1, worldModelBatchDenominator: 'all-tokens' },
  ),
  'step-decay': worldModel(
    'this lab',
    'Predicts at first, then hands over to the policy gradient alone at update 150.',
    'ECHO’s paper keeps λ constant; its code offers a step.',
    {
      'ce.observation': 0.1,
      worldModelSchedule: 'step',
      worldModelScheduleStart: 150,
      worldModelFinalScale: 0,
    },
  ),
  'no-mask': control(
    'arXiv 2503.09516',
    'The forgotten mask: observations are pushed up or down by the reward, as if the policy had written them.',
    'Search-R1 measured 0.343 without a mask against 0.431 with one.',
    { 'pg.observation': 1 },
  ),
  placebo: control(
    'arXiv 2607.21273',
    'Predicts shuffled observations: if it helps as much, what helped was not the dynamics.',
    'There a shuffled target matched the true one, with one seed.',
    { 'ce.observation': 0.1, placebo: true },
  ),
  'prediction-reward': control(
    'arXiv 2607.21273',
    'Pays for good predictions in reward: the policy may learn to stay where everything is predictable.',
    'In a group that all fails, dividing by the deviation makes any small bonus large.',
    { predictionReward: 0.1 },
  ),
  'prediction-reward-no-std': control(
    'arXiv 2607.21273',
    'The same without dividing by the deviation, which restores parity in the paper.',
    '',
    { predictionReward: 0.1, advantageScale: 'none' },
  ),
} as const satisfies Record<string, ObjectiveDescription>;
