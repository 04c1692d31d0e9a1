/**
 * How rewards become advantages. The defaults are GRPO (arXiv 2402.03300). "Action token" in these comments means a target
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
 *   AutoForge       scale environment-deviation
 *   AgentRL         scale none, baseline none, whitening task-tokens
 *   PRPO            baseline batch-mean, scale batch-deviation, advantageDeviation population
 */
import { advantageCredit, CREDIT, isByCritic } from './credit';
import { both, type Condition, choice, either, isAbove, isOneOf, never, not, real } from './setting';

const DEVIATIONS = {
  sample: 'sample, ε outside the root (verl, TRL)',
  population: 'population, ε outside the root (rLLM)',
  'sample-variance': 'sample, ε within the root',
  'population-variance': 'population, ε within the root',
  'sample-floor': 'sample variance, at least ε',
  'population-floor': 'population variance, at least ε (OpenRLHF)',
} as const;

/** Baselines of every token's return by itself. */
const BASELINES_OF_TOKENS = [
  'greedy',
  'optimal-token',
  'optimal-token-tail',
  'optimal-turn-token',
  'optimal-turn-token-tail',
] as const;

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
 * Where scores come from.
 *   tokens            the sum of tokenReward
 *   parts             Σ rewardWeight·part of the trajectory's outcome, given at its last action token (GRPO with
 *                     several rewards)
 *   normalised-parts  each part minus its group's mean, over its group's deviation (when scale is group-deviation),
 *                     then weighted and added; baseline and scale act no further (GDPO, arXiv 2601.05242;
 *                     "normalize_then_sum" in TRL)
 * A part that is NaN is left out; a trajectory all of whose weighted parts are NaN is left out of the group and gets 0 (TRL).
 */
const rewardSource = choice(
  'Score',
  'What a trajectory’s score is made of: its rewards added up, or each part of the reward normalised within its group first (GDPO).',
  {
    tokens: 'its rewards, each at its token',
    parts: 'its weighted parts, at the end (TRL)',
    'normalised-parts': 'its parts, each normalised (GDPO)',
  },
);

/**
 * What is subtracted. n = trajectories counted in the group, s their scores.
 *   group-mean               mean s
 *   none                     nothing
 *   leave-one-out            mean of the others: the difference is n/(n − 1)·(s − mean s) (RLOO, arXiv 2402.14740)
 *   length-weighted-mean     Σ length·s/Σ length (OPO, arXiv 2505.23585)
 *   greedy                   OUTCOME.baseline, the greedy trajectory's reward, from every token's return (ReMax, arXiv
 *                            2310.10505)
 *   second-best              the second best s, from the best only; the others' advantage is 0 (Pass@k, arXiv
 *                            2503.19595)
 *   batch-mean               mean s of all groups together (PRPO in rLLM)
 *   optimal-token            Σ G·W/(Σ W + 1e-8) over the group at the same position (OTB): G the reward-to-go, W the
 *                            running sum of 1 − 2π + Σ π² from the trajectory's beginning
 *   optimal-token-tail       the same, 0 for the group's one longest trajectory from the second longest's length on
 *                            (verl's default)
 *   optimal-turn-token       the same as optimal-token at the same number of action tokens instead (verl's multi-turn
 *                            variant)
 *   optimal-turn-token-tail  likewise
 * greedy and the four of OTB act on outcome and reward-to-go, and are left out under gae and bilevel-gae.
 */
const advantageBaseline = choice(
  'Baseline',
  'What is subtracted from a score: GRPO takes the group’s mean, RLOO that of the others, ReMax a greedy trajectory’s.',
  {
    'group-mean': 'group mean (GRPO)',
    none: 'none',
    'leave-one-out': 'mean of the others (RLOO)',
    'length-weighted-mean': 'mean by length (OPO)',
    greedy: 'greedy trajectory (ReMax)',
    'second-best': 'second best (Pass@k)',
    'batch-mean': 'batch mean (PRPO)',
    'optimal-token': 'optimal, by token (OTB)',
    'optimal-token-tail': 'optimal, by token, without tail (verl)',
    'optimal-turn-token': 'optimal, by action token',
    'optimal-turn-token-tail': 'optimal, by action token, without tail',
  },
  { when: (read) => isBaselineTaken(read) },
);

/** Parts have their own means in their groups, and a critic leaves out what is of every token's return by itself. */
const isBaselineTaken: Condition = both(
  not(isOneOf(rewardSource, 'normalised-parts')),
  not(both(isByCritic, isOneOf(advantageBaseline, ...BASELINES_OF_TOKENS))),
);

/**
 * What a score is divided by after its baseline. Deviations take their form from advantageDeviation and ε from
 * advantageEpsilon; a divisor that is not positive gives 0.
 *   group-deviation        of the group's scores (GRPO; "group" in TRL)
 *   none                   1 (Dr. GRPO, arXiv 2503.20783)
 *   batch-deviation        of all scores of the batch ("batch" in TRL)
 *   environment-deviation  of all scores of the same environment (ERPO of AutoForge, arXiv 2512.22857)
 *   group-mean             the group's mean score + ε; 0 unless the mean is positive (MaxRL, arXiv 2602.02710)
 *   nonzero-share          share of the batch's scores that are not 0, so failures do not thin out the gradient (GPG,
 *                          arXiv 2504.02546)
 * ε is column advantageEpsilon.
 */
const advantageScale = choice(
  'Divided by',
  'What a score is divided by after its baseline: GRPO by the group’s deviation, Dr. GRPO and prime-rl by nothing, MaxRL by the mean. Each world of a mixture has its own environment deviation; elsewhere it is the batch’s.',
  {
    'group-deviation': 'group deviation (GRPO)',
    none: 'nothing (Dr. GRPO)',
    'batch-deviation': 'batch deviation',
    'environment-deviation': 'environment deviation (ERPO)',
    'group-mean': 'group mean (MaxRL)',
    'nonzero-share': 'share of scores not 0 (GPG)',
  },
);
const isByDeviation: Condition = isOneOf(advantageScale, 'group-deviation', 'batch-deviation', 'environment-deviation');

/**
 * Last step: (advantage − mean)/deviation, whiteningDeviation and whiteningEpsilon giving the form.
 *   tokens            over the action tokens of the batch (REINFORCE++, PPO in verl and OpenRLHF)
 *   tokens-keep-mean  the same, the mean added again (verl's masked_whiten without shift)
 *   task-tokens       over the action tokens of the task (AgentRL, arXiv 2510.04206)
 *   trajectories      over trajectories, each counting once with the mean of its action tokens (TRL's RLOO and GDPO)
 *   trajectory-scale  the same without subtracting the mean, so that what is 0 stays 0 (rLLM's REINFORCE++ with baseline)
 */
const whitening = choice(
  'Whitening',
  'A last normalisation to mean 0 and deviation 1: over action tokens in REINFORCE++ and PPO, over trajectories in TRL’s RLOO.',
  {
    none: 'none',
    tokens: 'over tokens (PPO)',
    'tokens-keep-mean': 'over tokens, mean kept',
    'task-tokens': 'over a task’s tokens (AgentRL)',
    trajectories: 'over trajectories (TRL)',
    'trajectory-scale': 'over trajectories, not centred (rLLM)',
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
 *   unequal        drop groups of two or more whose rewards are all equal, whatever KL, prediction reward and length
 *                  penalty make of them (dynamic sampling of DAPO, arXiv 2503.14476)
 *   top-deviation  keep the groups whose scores have the largest deviations, groupFilterShare of them, at least one; ties by order
 *                  (StarPO-S, arXiv 2504.20073)
 *   variance-mass  keep unequal groups, largest variance first, until groupFilterShare of the sum of variances is
 *                  reached (after RAGEN-2, arXiv 2604.06268)
 */
const groupFilter = choice(
  'Groups left out',
  'Which groups the policy gradient does not use; the world model still sees them, since all-fail groups are what it can learn from.',
  {
    none: 'none',
    unequal: 'all equal (DAPO’s dynamic sampling)',
    'top-deviation': 'smallest deviation (StarPO-S)',
    'variance-mass': 'last of the variance (RAGEN-2)',
  },
);
const isFilteredByDeviation: Condition = isOneOf(groupFilter, 'top-deviation', 'variance-mass');

export const ADVANTAGE = {
  advantageCredit,
  advantageBaseline,
  advantageScale,
  /**
   * Form of a deviation and place of ε. v₁ = Σ(x − mean)²/(n − 1), v₀ = Σ(x − mean)²/n; both are exactly 0 where all x are equal.
   *   sample, population                    √v + ε (verl, TRL: v₁; rLLM: v₀)
   *   sample-variance, population-variance  √(v + ε) (verl's whitening: v₁, 1e-8)
   *   sample-floor, population-floor        √(max(v, ε)) (OpenRLHF's whitening: v₀, 1e-8)
   * of scale and of group statistics.
   */
  advantageDeviation: choice(
    'Form of deviation',
    'Sample or population deviation, and where ε stands in it: verl and TRL take the sample’s, rLLM the population’s.',
    DEVIATIONS,
    { when: either(isByDeviation, isFilteredByDeviation) },
  ),
  advantageEpsilon: real({
    label: 'Advantage ε',
    help: 'Added to a group’s standard deviation before rewards are divided by it: 1e-4 in TRL, 1e-6 in verl.',
    default: 1e-4,
    min: 1e-8,
    max: 10,
    soft: [1e-6, 1],
    scale: 'log',
    step: 10,
    when: either(isByDeviation, isOneOf(advantageScale, 'group-mean')),
  }),
  /**
   * The score of a group's only trajectory: advantage 0 (TRL, prime-rl, verl vectorised), or as if mean 0 and deviation 1 (verl, rLLM).
   */
  singletonGroup: choice(
    'Group of one',
    'The advantage of a group’s only trajectory: 0 in TRL and prime-rl, its own score in verl and rLLM.',
    { zero: '0 (TRL)', raw: 'its score (verl)' },
    { when: never },
  ),
  rewardSource,
  whitening,
  /**
   * Form of a deviation and place of ε. v₁ = Σ(x − mean)²/(n − 1), v₀ = Σ(x − mean)²/n; both are exactly 0 where all x are equal.
   *   sample, population                    √v + ε (verl, TRL: v₁; rLLM: v₀)
   *   sample-variance, population-variance  √(v + ε) (verl's whitening: v₁, 1e-8)
   *   sample-floor, population-floor        √(max(v, ε)) (OpenRLHF's whitening: v₀, 1e-8)
   */
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
   * Estimate of KL(policy ‖ reference) taken from the reward: d, |d|, d²/2 or exp(−d) + d − 1, d = old log-prob − reference; the
   * last with d within ±20 and a value of at most 10, as verl has it.
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
  /** 0 … 1: StarPO-S 0.25, RAGEN-2 0.9. */
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
   * Penalty on length (prime-rl): score −= mean score of the group · Σ weight·x/(largest x in the group), x = action tokens,
   * all other tokens, turns. Where credit is not outcome and scores are token rewards it is given at the last action token.
   */
  lengthPenaltyAction: penalty('action tokens', 'Penalty on actions'),
  lengthPenaltyInput: penalty('other tokens', 'Penalty on other tokens'),
  lengthPenaltyTurns: penalty('turns', 'Penalty on turns'),
} as const;
