/** Rewards, credit, regularisers and what is done about samples of another policy. */
import { chart, experiment, type Method, method, place, setting } from '../method';

const CRITIC = { valueCoefficient: 0.5 };

export const rewardMethods: readonly Method[] = [
  method(
    'GAE; Generalised advantage estimation; generalized advantage estimation; λ-return',
    'arXiv 1506.02438',
    'A geometric mixture of n-step advantages over a critic’s values, weighted by λ.',
    [
      setting('advantageCredit', 'gae', 'gridworld-small', CRITIC),
      setting('gaeLambda', 0.95, 'gridworld-small', { ...CRITIC, advantageCredit: 'gae' }),
    ],
    'Observations are passed over, as in verl, unless a step is set to be any token (OpenRLHF) or a turn.',
  ),
  method(
    'DeepSeek-R1; rule-based reward; verifiable rewards; RLVR; outcome and format reward',
    'arXiv 2501.12948',
    'GRPO on rewards that rules compute: the right answer, and the right form.',
    [setting('reward.format', 0.1), experiment('failure-missing-tools')],
    'Form is the share of turns without a warning, not tags around a thought.',
  ),
  method(
    'Reward shaping; potential-based shaping; policy invariance; subgoal reward; process reward',
    'Ng, Harada and Russell, ICML 1999',
    'Pays γΦ(after) − Φ(before) at every turn, which leaves the best policy as it is if Φ is 0 at the end.',
    [setting('reward.shaping', 0.2), setting('reward.subgoals', 0.5), experiment('failure-no-variance')],
    'Φ comes from the world’s own rules, not from a learned model.',
  ),
  method(
    'OTC-PO; Optimal tool calls; tool efficiency reward; tool productivity',
    'arXiv 2504.14870',
    'Multiplies the reward of a success by a cosine that falls with the number of tool calls.',
    setting('reward.efficiency', 0.5, 'calculator-without-tool'),
    'An added part with a weight of its own; in the paper it multiplies the outcome. The least number of calls is taken to be none.',
  ),
  method(
    'Length penalty; overlong penalty; length reward; efficiency',
    'arXiv 2503.14476',
    'A price on actions beyond a target, a soft one before the end of the context, or one within the group.',
    [setting('reward.length', 0.01), setting('reward.overlong', 1), setting('lengthPenaltyTurns', 0.1)],
    'The penalty within a group is prime-rl’s.',
  ),
  method(
    'Reward hacking; composite reward; specification gaming',
    'arXiv 1606.06565',
    'The grader is easier to please than the task.',
    [experiment('failure-reward-hacking'), place('why', 'Signs of failure')],
  ),
  method(
    'Noisy verifier; reward noise; LLM judge’s errors',
    'this lab',
    'Every verdict is turned round with some probability, in the same episodes in every arm.',
    [setting('verifierNoise', 0.1), chart('verifierFlips')],
    'Stands for the errors of a judge that is itself a model; there is no such judge here.',
  ),
  method(
    'HER; Hindsight experience replay; relabelling',
    'arXiv 1707.01495',
    'A failed episode is learned from as a success at what it did reach.',
    [experiment('hindsight'), setting('hindsight', 0.5), chart('relabelled')],
    'For a policy gradient on fresh episodes instead of a replay buffer; the weights of arXiv 1711.06006 correct for it where a correction for decoding is on.',
  ),
  method(
    'KL penalty; k1; k2; k3; reference policy; per-token KL',
    'joschu.net/blog/kl-approx.html',
    'Holds the policy near a reference, as a loss or out of the reward.',
    [setting('klCoefficient', 0.04), setting('rewardKl', 0.02), chart('kl')],
    'The reference is the policy that the arm begins as, or one out of a file. On actions alone unless another role is given a factor.',
  ),
  method(
    'Entropy bonus; entropy regularisation; exploration bonus',
    'arXiv 1602.01783',
    'Pays for being undecided at actions.',
    [setting('entropyCoefficient', 0.03), chart('entropy'), experiment('failure-entropy-collapse')],
  ),
  method(
    'Top-p; nucleus sampling',
    'arXiv 1904.09751',
    'Actions are drawn from the likeliest words that have a given probability together.',
    setting('topP', 0.9),
    'Decoding records what it really drew with; “Ratio to” or “Correction for decoding” put it to use.',
  ),
  method(
    'ε-greedy; epsilon exploration; uniform mixture; temperature schedule; annealing',
    'arXiv 1312.5602',
    'A share of words is drawn evenly from the legal ones, so that none is ever out of reach; share and temperature may anneal.',
    [
      setting('uniformShare', 0.1, 'gridworld-small', { ratioBase: 'behaviour' }),
      setting('annealing', 100, 'gridworld-small', { uniformShare: 0.1 }),
    ],
    'Beside sampling, not beside the greedy word. The log-probs recorded are the mixture’s.',
  ),
  method(
    'Minibatches; PPO minibatches; several optimiser steps an epoch',
    'arXiv 1707.06347',
    'Each inner epoch is cut into parts with an optimiser step each.',
    [setting('minibatches', 4), experiment('credit-short')],
    'A part’s loss is M times its share of the batch’s; advantages are those of the whole batch.',
  ),
  method(
    'High-entropy tokens; 80/20 rule; forking tokens; top_entropy_quantile',
    'arXiv 2506.01939',
    'Only the share of tokens with the highest entropy keep their policy gradient.',
    setting('entropyShare', 0.2),
    'The quantile is taken over the batch, as in TRL.',
  ),
  method(
    'Dual clip; dual-clip PPO',
    'arXiv 1912.09729',
    'Bounds the loss where the advantage is negative and the ratio large.',
    [setting('ratioCap', 3), chart('clipFractionDual')],
  ),
  method(
    'Off-policy sequence masking; off_policy_mask_threshold; DeepSeek-V3.2',
    'arXiv 2512.02556',
    'Drops failed trajectories that the policy has moved too far away from since they were sampled.',
    setting('offPolicyLimit', 2),
    'As TRL has it.',
  ),
  method(
    'Staleness; off-policy; asynchronous RL; AReaL; StreamRL; decoupled PPO; in-flight updates',
    'arXiv 2505.24298, arXiv 2504.15930',
    'The policy that plays is some updates older than the one that learns.',
    [
      setting('staleness', 2),
      setting('ratioBase', 'behaviour', 'gridworld-small', { staleness: 2 }),
      chart('mismatch'),
    ],
    'The statistics of it, simulated: a fixed age, its true log-probs, ratios to it or to the policy before the update. A cluster’s timing is not.',
  ),
  method(
    'Group size; rollouts per task',
    'arXiv 2402.03300',
    'Episodes of one task that are compared with each other.',
    [setting('batch.groupSize', 16), chart('zeroVarianceGroups'), place('lessons', 'Groups and advantages', 'groups')],
    'A sweep takes settings of arms; group sizes are compared as two runs laid over one another.',
  ),
  method(
    'Warm start; cold start; SFT before RL; behaviour cloning',
    'arXiv 2504.11536',
    'Demonstrations are imitated before the first update of reinforcement.',
    [setting('warmStart', 'actions'), setting('warmStart.noisy', 0.3, 'calculator-without-tool')],
    'Demonstrators are scripts of the worlds, or random.',
  ),
  method(
    'Temperature; sampling temperature',
    'this lab',
    'Divides the logits of actions when they are drawn.',
    setting('temperature', 0.8),
    'One temperature for legal actions; log-probs, entropy and ratios are at it too.',
  ),
];
