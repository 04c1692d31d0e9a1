/**
 * Objectives that learn from the reward. What they are, and what differs, the lab says already (src/experiment/objectives); here
 * are their names.
 */
import { aboutObjective } from '../../../../../experiment/objectives/objectiveAbout';
import { findObjective } from '../../../../../experiment/objectives/objectivePresets';
import type { ObjectiveId } from '../../../../../experiment/settings/objectives';
import { chart, experiment, type Method, method, objective, recipe, setting, type Where } from '../method';

/** An objective by the names people look for; the first is its name unless that is its title. */
export function named(id: ObjectiveId, names: string, also: readonly Where[] = [], differs?: string): Method {
  const { title } = findObjective(id);
  const { citation, reason, caveat } = aboutObjective(id);
  const [name = title, ...others] = names.split('; ').filter((one) => one !== '');
  const isThere = [name, ...others].some((one) => one.toLowerCase() === title.toLowerCase());
  const all = isThere ? others : [...others, title];
  return {
    name,
    also: all,
    line: reason,
    where: [objective(id), ...also],
    differs: differs ?? caveat,
    source: sourceOf(citation),
  };
}

const REPOSITORIES: Readonly<Record<string, string>> = {
  verl: 'github.com/volcengine/verl',
  'verl-recipe': 'github.com/verl-project/verl-recipe',
  TRL: 'github.com/huggingface/trl',
  'prime-rl': 'github.com/PrimeIntellect-ai/prime-rl',
  rLLM: 'github.com/rllm-org/rllm',
  'OpenEnv on TRL': 'github.com/huggingface/OpenEnv',
  'OpenEnv RFC 010': 'github.com/huggingface/OpenEnv',
};

const sourceOf = (citation: string): string => REPOSITORIES[citation] ?? citation;

export const policyMethods: readonly Method[] = [
  named('grpo', 'GRPO; Group relative policy optimization; DeepSeekMath; group-normalised advantage'),
  named('lab', 'GRPO, as the lab begins; action mask; token mask'),
  named('dr-grpo', 'Dr. GRPO; GRPO done right; length bias; Understanding R1-Zero-like training'),
  named(
    'dapo',
    'DAPO; Decoupled clip and dynamic sampling policy optimization; clip-higher; dynamic sampling; soft overlong punishment; token-level loss',
    [setting('resampling', 4), setting('reward.overlong', 1)],
    'The objective alone drops equal groups without drawing others, and has no penalty: the settings beside it add both. The penalty falls in a straight line, as in the paper. Dropped groups still train the world model.',
  ),
  named('gspo', 'GSPO; Group sequence policy optimization; sequence-level ratio'),
  named('luspo', 'LUSPO; Length-unbiased sequence policy optimization'),
  named('turn-ratio', 'Turn-PPO; ST-PPO; turn-level importance sampling; ratio by turn'),
  named('cispo', 'CISPO; Clipped importance sampling policy optimization; MiniMax-M1; ScaleRL'),
  named('rloo', 'RLOO; REINFORCE leave-one-out; Back to basics'),
  named('gdpo', 'GDPO; Group reward-decoupled normalization policy optimization'),
  named('reinforce-pp', 'REINFORCE++; REINFORCE plus plus'),
  named('reinforce-pp-baseline', 'REINFORCE++ baseline; REINFORCE++ with baseline'),
  named('remax', 'ReMax; greedy baseline'),
  named('ppo', 'PPO; Proximal policy optimization; actor-critic; critic; value head', [
    setting('advantageCredit', 'gae', 'gridworld-small', { valueCoefficient: 0.5 }),
    setting('innerEpochs', 4),
  ]),
  named(
    'vapo-whole',
    'VAPO; Value-based augmented proximal policy optimization; value pre-training; critic warm-up; positive-example NLL',
    [
      setting('criticWarmUp', 20, 'gridworld-small', { advantageCredit: 'gae', valueCoefficient: 0.5 }),
      setting('positiveNll', 0.1),
      experiment('credit-long'),
    ],
  ),
  named('vapo', 'VAPO-like; length-adaptive GAE; decoupled GAE'),
  named('maxrl', 'MaxRL; Maximum likelihood reinforcement learning'),
  named('gigpo', 'GiGPO; Group-in-group policy optimization; anchor state grouping; step-level advantage; verl-agent', [
    experiment('credit-long'),
    chart('anchorSize'),
    chart('anchorAlone'),
  ]),
  named(
    'rtmc',
    'RTMC; Rollout-tree Monte Carlo; rollout tree; group as a tree; shared prefixes; Monte Carlo step advantage',
    [setting('treeState', 'observation', 'gridworld-small', { advantageCredit: 'tree' }), experiment('credit-tree')],
    `${aboutObjective('rtmc').caveat} A state’s value counts the group’s mean score as two more visits; the objective discounts by γ = 0.99 between turns, and normalises nothing besides.`,
  ),
  named(
    'igpo',
    'IGPO; Information gain-based policy optimization; information gain; turn-level reward; turn reward; probability of the right answer',
    [
      experiment('information-gain'),
      setting('reward.information', 1, 'calculator-without-tool'),
      setting('turnComparison', 'last-apart', 'gridworld-small', { advantageCredit: 'turn-rewards' }),
    ],
    'Every turn counts as one, also one that is paid 0. Known where a world tells its right answer: the calculator, and worlds in a file.',
  ),
  named('opo', 'OPO; On-policy RL with optimal reward baseline'),
  named('gpg', 'GPG; Group policy gradient'),
  named('pass-at-k', 'Pass@k training; inference-time objectives'),
  named('otb', 'OTB; Optimal token baseline'),
  named('erpo', 'ERPO; AutoForge; Environment-level relative policy optimization; environment synthesis'),
  named(
    'agentrl',
    'AgentRL; task advantage normalisation; cross-policy sampling; cross-policy sampling within an episode; THUDM AgentRL',
    [
      setting('staleUnit', 'turns', 'gridworld-small', { staleness: 2, staleShare: 0.5 }),
      setting('staleShare', 0.5, 'gridworld-small', { staleness: 2 }),
    ],
    'One older policy, which plays turns of an episode by chance, or whole episodes. Nothing is asynchronous in a tab. Does it matter which of the two? Four seeds did not tell.',
  ),
  named('bilevel-gae', 'Bi-level GAE; turn-level GAE; hierarchical GAE; VAGEN estimator'),
  named('sapo', 'SAPO; Soft adaptive policy optimization; soft gate'),
  named('gmpo', 'GMPO; Geometric-mean policy optimization'),
  named('dppo', 'DPPO; Divergence proximal policy optimization; Rethinking the trust region; total variation', [
    setting('surrogate', 'dppo-kl'),
  ]),
  named('prime-rl', 'prime-rl’s loss; Prime Intellect'),
  named('prime-ipo', 'IPO of prime-rl'),
  named('dro', 'DRO; Direct reward optimisation; Offline regularised reinforcement learning; offline RL'),
  named('reinforce-kl', 'REINFORCE with KL; rLLM'),
  named('clip-cov', 'Clip-Cov; Entropy mechanism of reinforcement learning; covariance clip'),
  named('kl-cov', 'KL-Cov; Entropy mechanism; covariance penalty'),
  named('vespo', 'VESPO'),
  named(
    'tis',
    'TIS; Truncated importance sampling; importance sampling; rollout correction; training-inference mismatch',
  ),
  named('icepop', 'IcePop; Ring-1T; double-sided masking'),
  named(
    'starpo-s',
    'StarPO-S; RAGEN; StarPO; state-thinking-actions-reward policy optimization; uncertainty filter; echo trap',
  ),
  named('ragen-2', 'RAGEN-2; SNR-aware filtering; SNR filter; signal-to-noise ratio; reward-variance filter', [
    setting('groupFilter', 'variance-mass', 'gridworld-small', { groupFilterShare: 0.9 }),
    experiment('template-collapse'),
  ]),
  method(
    'DPO; Direct preference optimisation; preference pairs; contrast of good and bad traces; good against bad; KTO; SimPO; ORPO',
    'arXiv 2305.18290, arXiv 2402.01306, arXiv 2405.14734, arXiv 2403.07691',
    'Learns from a better and a worse answer: the log-ratio of the one is pushed above that of the other.',
    recipe('contrast', { entropyCoefficient: 0 }),
    'Of all successes of a group against all its failures, each log-ratio a mean over tokens, on the policy’s own episodes; nobody is asked for preferences. KTO, SimPO and ORPO weigh such pairs otherwise and are not written.',
  ),
];
