/** Hyperparameter columns 118 and 119: what a critic and the prediction reward count. */
export const CRITIC_COLUMNS = {
  /** What the value loss counts beside the policy loss, its tokens aggregated alike; 0: no critic is trained (PPO: 0.5 … 1). */
  valueCoefficient: 118,
  /**
   * c: a trajectory's score gains c · mean over its observation tokens of the probability that the policy before the update
   * gave them, where scores are token rewards; where credit is not outcome it is given at the last action token. The
   * negative control: prediction as a reward instead of a loss ("The Dark Room in the Reward Channel", arXiv 2607.21273).
   * 0: none.
   */
  predictionReward: 119,
} as const;
