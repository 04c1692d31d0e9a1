// Baseline of a trajectory's score and the scale of what is left, of its group, environment or batch; the functions of
// advantage/scores.wgsl read both.

// (baseline, factor) of a counted trajectory, before the scale.
fn baselineOf(p: u32, b: u32, first: u32, end: u32, spread: Spread, batch: Spread) -> vec2f {
  let choice = choiceOf(p, HYPER_ADVANTAGE_BASELINE);
  let isOfGroup = choice == ADVANTAGE_BASELINE_GROUP_MEAN || choice == ADVANTAGE_BASELINE_LEAVE_ONE_OUT ||
    choice == ADVANTAGE_BASELINE_LENGTH_WEIGHTED_MEAN || choice == ADVANTAGE_BASELINE_SECOND_BEST;
  if (spread.count == 1.0 && (isOfGroup || isOptimalToken(p))) {
    return vec2f(0.0, select(0.0, 1.0, choiceOf(p, HYPER_SINGLETON_GROUP) == SINGLETON_GROUP_RAW));
  }
  switch (choice) {
    case ADVANTAGE_BASELINE_GROUP_MEAN: { return vec2f(spread.mean, 1.0); }
    case ADVANTAGE_BASELINE_LEAVE_ONE_OUT: { return vec2f(spread.mean, spread.count / (spread.count - 1.0)); }
    case ADVANTAGE_BASELINE_LENGTH_WEIGHTED_MEAN: {
      if (spread.equal) { return vec2f(spread.mean, 1.0); }
      var total = 0.0;
      var weighted = 0.0;
      for (var i = first; i < end; i++) {
        if (numberOf(p, i, TRAJECTORY_COUNTED) == 0.0) { continue; }
        let length = numberOf(p, i, TRAJECTORY_LENGTH);
        total += length;
        weighted += length * scoreOf(p, i);
      }
      return vec2f(weighted * reciprocal(total), 1.0);
    }
    case ADVANTAGE_BASELINE_SECOND_BEST: {
      var best = -1e30;
      var second = -1e30;
      var at = end;
      for (var i = first; i < end; i++) {
        if (numberOf(p, i, TRAJECTORY_COUNTED) == 0.0) { continue; }
        let score = scoreOf(p, i);
        if (at == end || score > best) {
          second = best;
          best = score;
          at = i;
        } else {
          second = max(second, score);
        }
      }
      return vec2f(second, select(0.0, 1.0, b == at));
    }
    case ADVANTAGE_BASELINE_BATCH_MEAN: { return vec2f(batch.mean, 1.0); }
    case ADVANTAGE_BASELINE_GREEDY: {
      // Under reward-to-go, advantage/tokens.wgsl subtracts it from every token's advantage instead.
      let isOutcome = choiceOf(p, HYPER_ADVANTAGE_CREDIT) == ADVANTAGE_CREDIT_OUTCOME;
      return vec2f(select(0.0, outcomeOf(p, b, OUTCOME_BASELINE), isOutcome), 1.0);
    }
    // The optimal token baselines are taken from every token's return (advantage/tokens.wgsl).
    case ADVANTAGE_BASELINE_NONE, ADVANTAGE_BASELINE_OPTIMAL_TOKEN, ADVANTAGE_BASELINE_OPTIMAL_TOKEN_TAIL,
      ADVANTAGE_BASELINE_OPTIMAL_TURN_TOKEN, ADVANTAGE_BASELINE_OPTIMAL_TURN_TOKEN_TAIL, default: {
      return vec2f(0.0, 1.0);
    }
  }
}

// 1/divisor of a group. A single trajectory has no deviation: 1/(1 + ε) under singletonGroup raw, else 0.
fn groupScale(p: u32, spread: Spread) -> f32 {
  let epsilon = hyperOf(p, HYPER_ADVANTAGE_EPSILON);
  if (spread.count > 1.0) { return reciprocal(divisorOf(spread, choiceOf(p, HYPER_ADVANTAGE_DEVIATION), epsilon)); }
  if (choiceOf(p, HYPER_SINGLETON_GROUP) == SINGLETON_GROUP_RAW) { return 1.0 / (1.0 + epsilon); }
  return 0.0;
}

// Number of used trajectories ÷ number of those whose score is not 0.
fn nonzeroScale(p: u32) -> f32 {
  var count = 0.0;
  var nonzero = 0.0;
  for (var i = 0u; i < params.trajectories; i++) {
    if (numberOf(p, i, TRAJECTORY_USED) == 0.0) { continue; }
    count += 1.0;
    if (scoreOf(p, i) != 0.0) { nonzero += 1.0; }
  }
  return count / max(nonzero, 1.0);
}

// Numbers that all trajectories share, or all of one environment.
struct Shared {
  batch: Spread,
  // Scores behind a deviation wider than the group's: of the batch or of an environment.
  scope: Spread,
  environment: f32,
  nonzero: f32,
}

fn scaleOf(p: u32, spread: Spread, wide: Shared) -> f32 {
  let choice = choiceOf(p, HYPER_ADVANTAGE_SCALE);
  let epsilon = hyperOf(p, HYPER_ADVANTAGE_EPSILON);
  if (choice == ADVANTAGE_SCALE_NONE) { return 1.0; }
  if (choice == ADVANTAGE_SCALE_GROUP_DEVIATION) { return groupScale(p, spread); }
  if (choice == ADVANTAGE_SCALE_NONZERO_SHARE) { return wide.nonzero; }
  if (choice == ADVANTAGE_SCALE_GROUP_MEAN) {
    if (spread.mean <= 0.0) { return 0.0; }
    return reciprocal(spread.mean + epsilon);
  }
  return reciprocal(divisorOf(wide.scope, choiceOf(p, HYPER_ADVANTAGE_DEVIATION), epsilon));
}
