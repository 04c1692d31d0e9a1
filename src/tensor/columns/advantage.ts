/**
 * Hyperparameter columns 20 … 51: how rewards become advantages. A choice is stored as its index in the list named in the
 * column's comment; index 0 everywhere, with `advantageEpsilon` 1e-4, is GRPO (arXiv 2402.03300), the lab's default.
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

/**
 * How a trajectory's reward reaches its tokens.
 *   outcome       every action token gets the trajectory's whole (normalised) score
 *   reward-to-go  the discounted sum of the rewards from this token on
 *   gae           generalised advantage estimation over the critic's values (arXiv 1506.02438)
 *   bilevel-gae   between the ends of turns with turnDiscount, then inside each turn towards its end's return (RAGEN,
 *                 VAGEN)
 */
export const CREDITS = ['outcome', 'reward-to-go', 'gae', 'bilevel-gae'] as const;

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
export const BASELINES = [
  'group-mean',
  'none',
  'leave-one-out',
  'length-weighted-mean',
  'greedy',
  'second-best',
  'batch-mean',
  'optimal-token',
  'optimal-token-tail',
  'optimal-turn-token',
  'optimal-turn-token-tail',
] as const;

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
 */
export const SCALES = [
  'group-deviation',
  'none',
  'batch-deviation',
  'environment-deviation',
  'group-mean',
  'nonzero-share',
] as const;

/**
 * Form of a deviation and place of ε. v₁ = Σ(x − mean)²/(n − 1), v₀ = Σ(x − mean)²/n; both are exactly 0 where all x are equal.
 *   sample, population                    √v + ε (verl, TRL: v₁; rLLM: v₀)
 *   sample-variance, population-variance  √(v + ε) (verl's whitening: v₁, 1e-8)
 *   sample-floor, population-floor        √(max(v, ε)) (OpenRLHF's whitening: v₀, 1e-8)
 */
export const DEVIATIONS = [
  'sample',
  'population',
  'sample-variance',
  'population-variance',
  'sample-floor',
  'population-floor',
] as const;

/** The score of a group's only trajectory: advantage 0 (TRL, prime-rl, verl vectorised), or as if mean 0 and deviation 1 (verl, rLLM). */
export const SINGLETONS = ['zero', 'raw'] as const;

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
export const REWARD_SOURCES = ['tokens', 'parts', 'normalised-parts'] as const;

/**
 * Last step: (advantage − mean)/deviation, whiteningDeviation and whiteningEpsilon giving the form.
 *   tokens            over the action tokens of the batch (REINFORCE++, PPO in verl and OpenRLHF)
 *   tokens-keep-mean  the same, the mean added again (verl's masked_whiten without shift)
 *   task-tokens       over the action tokens of the task (AgentRL, arXiv 2510.04206)
 *   trajectories      over trajectories, each counting once with the mean of its action tokens (TRL's RLOO and GDPO)
 *   trajectory-scale  the same without subtracting the mean, so that what is 0 stays 0 (rLLM's REINFORCE++ with baseline)
 */
export const WHITENINGS = [
  'none',
  'tokens',
  'tokens-keep-mean',
  'task-tokens',
  'trajectories',
  'trajectory-scale',
] as const;

/** λ of the critic's targets: that of the advantages, or 1 (Monte Carlo returns; VAPO's decoupled GAE, arXiv 2504.05118). */
export const RETURN_LAMBDAS = ['same', 'one'] as const;

/**
 * What discount and λ count.
 *   action-tokens  a step an action token; other tokens are passed over (verl)
 *   every-token    a step a token; tokens that are no action have value and reward 0 (OpenRLHF)
 *   turns          a step a turn: no discount, and λ 1, inside a turn
 */
export const CLOCKS = ['action-tokens', 'every-token', 'turns'] as const;

/**
 * Estimate of KL(policy ‖ reference) taken from the reward: d, |d|, d²/2 or exp(−d) + d − 1, d = old log-prob − reference; the
 * last with d within ±20 and a value of at most 10, as verl has it.
 */
export const REWARD_KL_ESTIMATORS = ['k1', 'abs', 'k2', 'k3'] as const;

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
export const GROUP_FILTERS = ['none', 'unequal', 'top-deviation', 'variance-mass'] as const;

/**
 * Targets that are no action tokens. Training needs nothing there; other projects' functions do return numbers.
 *   zero     advantage and return are 0
 *   returns  the return is the running one, carried over them (OTB in verl)
 *   carried  so is the advantage (GAE and ReMax in verl, OpenRLHF)
 */
export const OFF_MASKS = ['zero', 'returns', 'carried'] as const;

/**
 * "Action token" in these comments means a target whose role is action or has a policy-gradient weight (an arm without
 * action mask trains on observations as if they were actions).
 */
export const ADVANTAGE_COLUMNS = {
  /** CREDITS. */
  advantageCredit: 20,
  /** BASELINES. */
  advantageBaseline: 21,
  /** SCALES. ε is column advantageEpsilon. */
  advantageScale: 22,
  /** DEVIATIONS, of scale and of group statistics. */
  advantageDeviation: 23,
  /** SINGLETONS. */
  singletonGroup: 24,
  /** REWARD_SOURCES. */
  rewardSource: 25,
  /** Weight of each part of the reward: column rewardWeight + k, k < REWARD_PARTS. */
  rewardWeight: 26,
  /** WHITENINGS. */
  whitening: 34,
  /** DEVIATIONS. */
  whiteningDeviation: 35,
  /** ε of whitening: verl 1e-8 (in the variance), TRL 1e-4, rLLM 1e-6. */
  whiteningEpsilon: 36,
  /** γ of reward-to-go, gae and inside a turn of bilevel-gae; 1 in most agent recipes. */
  discount: 37,
  /** λ of gae and bilevel-gae. */
  gaeLambda: 38,
  /** α > 0: λ = 1 − 1/(α·action tokens of the trajectory), at least 0, instead (VAPO: 0.05). 0: gaeLambda. */
  gaeLambdaLength: 39,
  /** RETURN_LAMBDAS. */
  returnLambda: 40,
  /** CLOCKS. */
  creditClock: 41,
  /** γ between turns: bilevel-gae and GiGPO's step returns (0.95 in both). */
  turnDiscount: 42,
  /**
   * w of GiGPO's step part (arXiv 2505.10978; 1 in the paper, 0 = off): w·(R − mean R)/deviation over the group's turns that
   * began in the same state, R the turn's return under turnDiscount; 0 for a state met once. Divided by the deviation only
   * when scale is a deviation.
   */
  stepWeight: 43,
  /**
   * β of the KL in the reward, per action token. Under credit outcome it is part of the score (verl with GRPO); else it is
   * taken from each token's reward after baseline and scale (OpenRLHF; verl with PPO).
   */
  rewardKl: 44,
  /** REWARD_KL_ESTIMATORS. */
  rewardKlEstimator: 45,
  /** GROUP_FILTERS. */
  groupFilter: 46,
  /** 0 … 1: StarPO-S 0.25, RAGEN-2 0.9. */
  groupFilterShare: 47,
  /**
   * Penalty on length (prime-rl): score −= mean score of the group · Σ weight·x/(largest x in the group), x = action tokens,
   * all other tokens, turns. Where credit is not outcome and scores are token rewards it is given at the last action token.
   */
  lengthPenaltyAction: 48,
  lengthPenaltyInput: 49,
  lengthPenaltyTurns: 50,
  /** OFF_MASKS. */
  offMask: 51,
} as const;
