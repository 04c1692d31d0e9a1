/**
 * Advantages from rewards. The defaults are GRPO (arXiv 2402.03300). "Action token" in these comments means a target
 * whose role is action or has a policy-gradient weight (an arm without action mask trains on observations as if they were
 * actions).
 *
 * An estimator of another project is a combination (γ = discount):
 *   GRPO, verl      singletonGroup raw, advantageEpsilon 1e-6
 *   Dr. GRPO        scale none; also prime-rl's default
 *   RLOO            baseline leave-one-out, scale none
 *   OPO             baseline length-weighted-mean, scale none
 *   ReMax           credit reward-to-go, γ 1, baseline greedy, scale none
 *   Pass@k          baseline second-best, scale none or group-deviation
 *   MaxRL           scale group-mean, advantageEpsilon 0
 *   GPG             scale nonzero-share
 *   REINFORCE++     credit reward-to-go, baseline none, scale none, whitening tokens
 *   its variant     credit outcome, baseline group-mean, scale none, whitening tokens
 *   PPO             credit gae, baseline none, scale none, whitening tokens
 *   VAPO            the same with gaeLambdaLength 0.05 and returnLambda one
 *   RAGEN, VAGEN    the same with credit bilevel-gae, turnDiscount 0.95
 *   GDPO            rewardSource normalised-parts, whitening tokens (verl) or trajectories (TRL)
 *   OTB             credit reward-to-go, γ 1, baseline optimal-token…, scale none
 *   GiGPO           stepWeight 1, turnDiscount 0.95
 *   RTMC            credit tree, treePrior 2, turnDiscount 0.99, baseline none, scale none
 *   IGPO            credit turn-rewards, turnDiscount 1, rewards of their own for turns (reward.information)
 *   AutoForge       scale environment-deviation
 *   AgentRL         scale none, baseline none, whitening task-tokens
 *   PRPO            baseline batch-mean, scale batch-deviation, advantageDeviation population
 */
import { call, index, type Notation, plus, power, root, row, symbol, words } from '../foundation/notation';
import { advantageBaseline, rewardSource } from './baseline';
import { advantageCredit, CREDIT } from './credit';
import {
  type ChoiceSetting,
  type Condition,
  choice,
  either,
  isAbove,
  isOneOf,
  type NumberSetting,
  never,
  not,
  type ReadSetting,
  real,
} from './setting';

const DEVIATIONS = {
  sample: 'sample, ε outside the root (verl, TRL)',
  population: 'population, ε outside the root (rLLM)',
  'sample-variance': 'sample, ε within the root',
  'population-variance': 'population, ε within the root',
  'sample-floor': 'sample variance, at least ε',
  'population-floor': 'population variance, at least ε (OpenRLHF)',
} as const;

const sigma = symbol('σ', 'sigma');

/** Notation of a deviation, with ε where its form has it. */
export const deviation =
  (of: Notation) =>
  (read: ReadSetting): Notation => {
    const [form, epsilon] = [read(advantageDeviation), read(advantageEpsilon)];
    if (form.endsWith('variance')) return root(row(power(of, 2), plus, epsilon));
    if (form.endsWith('floor')) return root(call('max', power(of, 2), epsilon));
    return row(of, plus, epsilon);
  };

const penalty = (what: string, label: string) =>
  real({
    label,
    help: `Takes from a trajectory’s score in proportion to its ${what}, measured by the most in its group (prime-rl).`,
    default: 0,
    min: 0,
    max: 10,
    soft: [0, 1],
    step: 0.05,
  });

/**
 * Divisor of a score after its baseline. Deviations take their form from advantageDeviation and ε from
 * advantageEpsilon; a divisor that is not positive gives 0.
 *   group-deviation        of the group's scores (GRPO; "group" in TRL)
 *   none                   1 (Dr. GRPO, arXiv 2503.20783)
 *   batch-deviation        of all scores of the batch ("batch" in TRL)
 *   environment-deviation  of all scores of the same environment (ERPO of AutoForge, arXiv 2512.22857)
 *   group-mean             the group's mean score + ε; 0 unless the mean is positive (MaxRL, arXiv 2602.02710)
 *   nonzero-share          share of the batch's scores that are not 0, so failures do not thin out the gradient (GPG,
 *                          arXiv 2504.02546)
 */
export const advantageScale = choice(
  'Divided by',
  'What a score is divided by after its baseline: GRPO by the group’s deviation, Dr. GRPO and prime-rl by nothing, MaxRL by the mean. Each world of a mixture has its own environment deviation; elsewhere it is the batch’s.',
  {
    'group-deviation': { name: 'group deviation (GRPO)', formula: deviation(sigma) },
    none: 'nothing (Dr. GRPO)',
    'batch-deviation': { name: 'batch deviation', formula: deviation(index(sigma, words('batch'))) },
    'environment-deviation': {
      name: 'environment deviation (ERPO)',
      formula: deviation(index(sigma, words('environment'))),
    },
    'group-mean': {
      name: 'group mean (MaxRL)',
      formula: (read) => row(words('mean'), symbol('R', 'R'), plus, read(advantageEpsilon)),
    },
    'nonzero-share': { name: 'share of scores not 0 (GPG)', formula: () => words('share of R that is not 0') },
  },
);
const isByDeviation: Condition = isOneOf(advantageScale, 'group-deviation', 'batch-deviation', 'environment-deviation');

/**
 * Last step: (advantage − mean)/deviation, in the form of whiteningDeviation with whiteningEpsilon.
 *   tokens            over the action tokens of the batch (REINFORCE++, PPO in verl and OpenRLHF)
 *   tokens-keep-mean  the same, the mean added again (verl's masked_whiten without shift)
 *   task-tokens       over the action tokens of the task (AgentRL, arXiv 2510.04206)
 *   trajectories      over trajectories, each counting once with the mean of its action tokens (TRL's RLOO and GDPO)
 *   trajectory-scale  the same without subtracting the mean, so that 0 stays 0 (rLLM's REINFORCE++ with baseline)
 */
export const whitening = choice(
  'Whitening',
  'A last normalisation to mean 0 and deviation 1: over action tokens in REINFORCE++ and PPO, over trajectories in TRL’s RLOO.',
  {
    none: 'none',
    tokens: { name: 'over tokens (PPO)', remark: 'whitened over action tokens' },
    'tokens-keep-mean': { name: 'over tokens, mean kept', remark: 'divided by its deviation over action tokens' },
    'task-tokens': { name: 'over a task’s tokens (AgentRL)', remark: 'whitened over the task’s action tokens' },
    trajectories: { name: 'over trajectories (TRL)', remark: 'whitened over trajectories' },
    'trajectory-scale': {
      name: 'over trajectories, not centred (rLLM)',
      remark: 'divided by its deviation over trajectories',
    },
  },
);
const isWhitened: Condition = not(isOneOf(whitening, 'none'));

/**
 * β of the KL in the reward, per action token. Under credit outcome it is part of the score (verl with GRPO); else it is
 * taken from each token's reward after baseline and scale (OpenRLHF; verl with PPO).
 */
const rewardKl = real({
  label: 'KL in the reward',
  help: 'Takes the divergence from the reference policy out of the reward instead of adding it to the loss, as RLOO and OpenRLHF do.',
  default: 0,
  min: 0,
  max: 10,
  soft: [0, 0.2],
  step: 0.002,
});

/**
 * Groups left out of the policy gradient (GROUP.kept = 0) and of batch statistics; world-model losses still see them.
 *   none           keep all
 *   unequal        drop groups of two or more whose rewards are all equal, before KL, prediction reward and length
 *                  penalty (dynamic sampling of DAPO, arXiv 2503.14476)
 *   top-deviation  keep groupFilterShare of the groups, at least one: those whose scores have the largest deviations;
 *                  ties by order (StarPO-S, arXiv 2504.20073)
 *   variance-mass  keep unequal groups, largest variance first, until groupFilterShare of the sum of variances is
 *                  reached (after RAGEN-2, arXiv 2604.06268)
 */
export const groupFilter = choice(
  'Groups left out',
  'Which groups the policy gradient does not use; the world model still sees them, since all-fail groups are what it can learn from.',
  {
    none: 'none',
    unequal: { name: 'all equal (DAPO’s dynamic sampling)', remark: 'groups whose rewards are all equal are left out' },
    'top-deviation': {
      name: 'smallest deviation (StarPO-S)',
      remark: 'only the {share} of groups with the largest deviation',
    },
    'variance-mass': {
      name: 'last of the variance (RAGEN-2)',
      remark: 'only groups that hold {share} of the variance',
    },
  },
);
const isFilteredByDeviation: Condition = isOneOf(groupFilter, 'top-deviation', 'variance-mass');

/**
 * Form of a deviation, in scale and group statistics, and place of ε. v₁ = Σ(x − mean)²/(n − 1), v₀ = Σ(x − mean)²/n;
 * both are exactly 0 where all x are equal.
 *   sample, population                    √v + ε (verl, TRL: v₁; rLLM: v₀)
 *   sample-variance, population-variance  √(v + ε) (verl's whitening: v₁, 1e-8)
 *   sample-floor, population-floor        √(max(v, ε)) (OpenRLHF's whitening: v₀, 1e-8)
 */
const advantageDeviation: ChoiceSetting<keyof typeof DEVIATIONS> = choice(
  'Form of deviation',
  'Sample or population deviation, and where ε stands in it: verl and TRL take the sample’s, rLLM the population’s.',
  DEVIATIONS,
  { when: either(isByDeviation, isFilteredByDeviation) },
);

const isEpsilonAdded: Condition = either(isByDeviation, isOneOf(advantageScale, 'group-mean'));

const advantageEpsilon: NumberSetting = real({
  label: 'Advantage ε',
  help: 'Added to a group’s standard deviation before rewards are divided by it: 1e-4 in TRL, 1e-6 in verl.',
  default: 1e-4,
  min: 1e-8,
  max: 10,
  soft: [1e-6, 1],
  scale: 'log',
  step: 10,
  when: isEpsilonAdded,
});

export const ADVANTAGE = {
  advantageCredit,
  advantageBaseline,
  advantageScale,
  advantageDeviation,
  advantageEpsilon,
  /** Group of one: advantage 0 (TRL, prime-rl, verl vectorised), or as if mean 0 and deviation 1 (verl, rLLM). */
  singletonGroup: choice(
    'Group of one',
    'The advantage of a group’s only trajectory: 0 in TRL and prime-rl, its own score in verl and rLLM.',
    { zero: '0 (TRL)', raw: 'its score (verl)' },
    { when: never },
  ),
  rewardSource,
  whitening,
  /** Form of the deviation in whitening, as in advantageDeviation. */
  whiteningDeviation: choice(
    'Form in whitening',
    'Sample or population deviation in whitening, and where its ε stands.',
    DEVIATIONS,
    { when: isWhitened },
  ),
  /** ε of whitening: verl 1e-8 (in the variance), TRL 1e-4, rLLM 1e-6. */
  whiteningEpsilon: real({
    label: 'Whitening ε',
    help: 'Keeps whitening from dividing by nearly nothing: 1e-8 in verl, 1e-4 in TRL, 1e-6 in rLLM.',
    default: 1e-8,
    min: 1e-12,
    max: 10,
    soft: [1e-8, 1],
    scale: 'log',
    step: 10,
    when: isWhitened,
  }),
  ...CREDIT,
  rewardKl,
  /**
   * Estimate of KL(policy ‖ reference) that is taken from the reward: d, |d|, d²/2 or exp(−d) + d − 1, d = old −
   * reference log-prob; the last has d within ±20 and a value of at most 10, as in verl.
   */
  rewardKlEstimator: choice(
    'KL in the reward by',
    'What estimates that divergence at a token.',
    {
      k1: 'k1',
      abs: '|k1|',
      k2: 'k2',
      k3: 'k3',
    },
    { when: isAbove(rewardKl) },
  ),
  groupFilter,
  /** Share that the group filter keeps, 0 … 1: StarPO-S 0.25, RAGEN-2 0.9. */
  groupFilterShare: real({
    label: 'Share kept',
    help: 'The share of groups kept by deviation (StarPO-S 0.25), or of the variance kept (RAGEN-2 0.9).',
    default: 0.25,
    min: 0,
    max: 1,
    soft: [0.05, 1],
    step: 0.05,
    when: isFilteredByDeviation,
  }),
  /**
   * Weights of the length penalty (prime-rl): score −= mean score of the group · Σ weight·x/(largest x in the group). x:
   * number of tokens whose role is action, of other tokens, of turns. With token rewards, credit other than outcome
   * gives it at the last action token.
   */
  lengthPenaltyAction: penalty('action tokens', 'Penalty on actions'),
  lengthPenaltyInput: penalty('other tokens', 'Penalty on other tokens'),
  lengthPenaltyTurns: penalty('turns', 'Penalty on turns'),
} as const;
