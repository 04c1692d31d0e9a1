// Applies what differs between the tokens of a trajectory to their advantages.
// Fourth kernel of `advantages`: parts that differ between tokens. advantage [P,B,T] (in place) −= greedy baseline
// (ReMax) or optimal token baseline, Σ G·W/Σ W over the group's trajectories with an action token in the same place;
// += GiGPO's step part of the token's turn, or its advantage in the group's tree (RTMC), or by the turns' own
// rewards (IGPO); = 0 where a trajectory takes no part. Under credit outcome and those of turns, returns = advantage.
// For whitening, the spread of each trajectory goes to scratch. A workgroup per trajectory; its lanes share turns, then
// tokens. Floor: 12·B·T bytes; the baselines and turns read a group's tables once per trajectory.
// #include "lib/grid.wgsl"
// #include "advantage/scratch.wgsl"
// #include "advantage/mask.wgsl"
// #include "advantage/spread.wgsl"
// #include "advantage/gather_lanes.wgsl"
// #include "lib/layout.wgsl"

// #write scratch, advantage, returns: f32
// #read roles: u32; outcomes: f32; groupStart, turnAnchor, turnPath: u32
// #params trajectories, context, turns: u32

fn numberOf(p: u32, b: u32, column: u32) -> f32 { return scratch[trajectoryAt(p, b, column)]; }
fn isUsed(p: u32, b: u32) -> bool { return numberOf(p, b, TRAJECTORY_USED) != 0.0; }
fn turnsOf(p: u32, b: u32) -> u32 { return min(params.turns, u32(numberOf(p, b, TRAJECTORY_TURNS))); }
fn anchorOf(p: u32, b: u32, k: u32) -> u32 { return turnAnchor[p * params.turnAnchorStride + b * params.turns + k]; }

// Divisor of a centred value: the deviation where the scale is one, else 1; as a factor.
fn stepScale(p: u32, spread: Spread) -> f32 {
  let choice = choiceOf(p, HYPER_ADVANTAGE_SCALE);
  let isDeviation = choice == ADVANTAGE_SCALE_GROUP_DEVIATION || choice == ADVANTAGE_SCALE_BATCH_DEVIATION
    || choice == ADVANTAGE_SCALE_ENVIRONMENT_DEVIATION;
  if (!isDeviation) { return 1.0; }
  return reciprocal(divisorOf(spread, choiceOf(p, HYPER_ADVANTAGE_DEVIATION), hyperOf(p, HYPER_ADVANTAGE_EPSILON)));
}

// Step part of turn k: w·(R − mean)/deviation over the group's turns that began in the same state, R their returns.
fn stepAdvantage(p: u32, b: u32, k: u32, first: u32, end: u32) -> f32 {
  let anchor = anchorOf(p, b, k);
  let own = scratch[turnAt(p, TURN_RETURN, b, k)];
  var spread = Spread(0.0, own, 0.0, true);
  var sum = 0.0;
  for (var round = 0u; round < 2u; round++) {
    for (var other = first; other < end; other++) {
      if (!isUsed(p, other)) { continue; }
      for (var i = 0u; i < turnsOf(p, other); i++) {
        if (anchorOf(p, other, i) != anchor) { continue; }
        let x = scratch[turnAt(p, TURN_RETURN, other, i)];
        if (round == 0u) {
          spread.count += 1.0;
          spread.equal = spread.equal && x == own;
          sum += x;
        } else {
          spread.squares += (x - spread.mean) * (x - spread.mean);
        }
      }
    }
    if (spread.equal) { return 0.0; }
    if (round == 0u) { spread.mean = sum / spread.count; }
  }
  return hyperOf(p, HYPER_STEP_WEIGHT) * (own - spread.mean) * stepScale(p, spread);
}

// True for a last turn that is compared with last turns alone.
fn isLastApart(p: u32, b: u32, k: u32) -> bool {
  if (choiceOf(p, HYPER_TURN_COMPARISON) != TURN_COMPARISON_LAST_APART) { return false; }
  return f32(k + 1u) == numberOf(p, b, TRAJECTORY_TURNS);
}

// Rewards of the group's turns that are compared with one another: last ones, or others (all, where none is apart).
fn turnSpread(p: u32, first: u32, end: u32, isLast: bool) -> Spread {
  var spread = Spread(0.0, 0.0, 0.0, true);
  var sum = 0.0;
  var one = 0.0;
  for (var round = 0u; round < 2u; round++) {
    for (var b = first; b < end; b++) {
      if (!isUsed(p, b)) { continue; }
      for (var k = 0u; k < turnsOf(p, b); k++) {
        if (isLastApart(p, b, k) != isLast) { continue; }
        let x = scratch[turnAt(p, TURN_RETURN, b, k)];
        if (round == 0u) {
          if (spread.count == 0.0) { one = x; }
          spread.count += 1.0;
          spread.equal = spread.equal && x == one;
          sum += x;
        } else {
          spread.squares += (x - spread.mean) * (x - spread.mean);
        }
      }
    }
    spread.mean = one;
    if (spread.equal) { break; }
    spread.mean = sum / spread.count;
  }
  return spread;
}

// Σ over turn k and later ones of their rewards, normalised among the group's turns, discounted from turn to turn.
fn turnAdvantage(p: u32, b: u32, k: u32, first: u32, end: u32) -> f32 {
  let others = turnSpread(p, first, end, false);
  let last = turnSpread(p, first, end, true);
  var scales = vec2f(stepScale(p, others), stepScale(p, last));
  scales *= vec2f(select(0.0, 1.0, others.count > 1.0), select(0.0, 1.0, last.count > 1.0));
  var sum = 0.0;
  for (var i = turnsOf(p, b); i > k; i--) {
    let isLast = isLastApart(p, b, i - 1u);
    let centred = scratch[turnAt(p, TURN_RETURN, b, i - 1u)] - select(others.mean, last.mean, isLast);
    sum = centred * select(scales.x, scales.y, isLast) + hyperOf(p, HYPER_TURN_DISCOUNT) * sum;
  }
  return sum;
}

fn pathOf(p: u32, b: u32, k: u32, column: u32) -> u32 {
  return turnPath[p * params.turnPathStride + (b * params.turns + k) * TURN_PATH_COLUMNS + column];
}

// Node that turn k begins at, and its action.
fn visitOf(p: u32, b: u32, k: u32) -> vec2u {
  let action = pathOf(p, b, k, TURN_PATH_ACTION);
  if (choiceOf(p, HYPER_TREE_STATE) == TREE_STATE_HISTORY) { return vec2u(pathOf(p, b, k, TURN_PATH_HISTORY), action); }
  return vec2u(anchorOf(p, b, k), action);
}

// True if the trajectory did the same at the same node in an earlier turn.
fn isRepeated(p: u32, b: u32, k: u32, visit: vec2u) -> bool {
  for (var i = 0u; i < k; i++) {
    if (all(visitOf(p, b, i) == visit)) { return true; }
  }
  return false;
}

// Q(s, a) − V'(s) of turn k over first visits, all returns relative to its own, so that equal ones give exactly 0.
fn treeAdvantage(p: u32, b: u32, k: u32, first: u32, end: u32) -> f32 {
  let visit = visitOf(p, b, k);
  let own = scratch[turnAt(p, TURN_RETURN, b, k)];
  // Numbers and sums: of the node, of its action there, of the group's scores.
  var counts = vec3f();
  var sums = vec3f();
  for (var other = first; other < end; other++) {
    if (!isUsed(p, other)) { continue; }
    let kl = hyperOf(p, HYPER_REWARD_KL) * numberOf(p, other, TRAJECTORY_KL);
    counts.z += 1.0;
    sums.z += numberOf(p, other, TRAJECTORY_SHAPED) - kl - own;
    for (var i = 0u; i < turnsOf(p, other); i++) {
      let there = visitOf(p, other, i);
      if (there.x != visit.x || isRepeated(p, other, i, there)) { continue; }
      let isAlike = select(0.0, 1.0, there.y == visit.y);
      let away = scratch[turnAt(p, TURN_RETURN, other, i)] - own;
      counts += vec3f(1.0, isAlike, 0.0);
      sums += vec3f(away, isAlike * away, 0.0);
    }
  }
  let prior = hyperOf(p, HYPER_TREE_PRIOR);
  return sums.y / counts.y - (sums.x + prior * sums.z / counts.z) / (counts.x + prior);
}

// Lengths in a group, in action tokens: (number of used trajectories, longest, second longest).
fn lengthsOf(p: u32, first: u32, end: u32) -> vec3f {
  var found = vec3f();
  for (var other = first; other < end; other++) {
    if (!isUsed(p, other)) { continue; }
    let length = numberOf(p, other, TRAJECTORY_LENGTH);
    found.x += 1.0;
    found.z = max(found.z, min(found.y, length));
    found.y = max(found.y, length);
  }
  return found;
}

fn optimalTokenBaseline(p: u32, b: u32, t: u32, first: u32, end: u32, lengths: vec3f) -> f32 {
  if (lengths.x < 2.0) { return 0.0; }
  let choice = choiceOf(p, HYPER_ADVANTAGE_BASELINE);
  let isTail = choice == ADVANTAGE_BASELINE_OPTIMAL_TOKEN_TAIL || choice == ADVANTAGE_BASELINE_OPTIMAL_TURN_TOKEN_TAIL;
  var place = t;
  var after = f32(t) - numberOf(p, b, TRAJECTORY_RESPONSE);
  if (placesByOrdinal(p)) {
    after = scratch[tokenAt(p, TOKEN_ORDINAL, b, t)];
    place = u32(after);
  }
  let isLongest = numberOf(p, b, TRAJECTORY_LENGTH) == lengths.y && lengths.y > lengths.z;
  if (isTail && isLongest && after >= lengths.z) { return 0.0; }
  var numerator = 0.0;
  var denominator = 0.0;
  for (var other = first; other < end; other++) {
    if (!isUsed(p, other)) { continue; }
    let weight = scratch[tokenAt(p, TOKEN_WEIGHT, other, place)];
    if (weight == 0.0) { continue; }
    numerator += weight * scratch[tokenAt(p, TOKEN_GAIN, other, place)];
    denominator += weight;
  }
  return numerator / (denominator + BOUND_WEIGHT);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let b = lineOf(group);
  if (b >= params.trajectories) { return; }
  let g = u32(numberOf(p, b, TRAJECTORY_GROUP));
  let first = groupStart[p * params.groupStartStride + g];
  let end = groupStart[p * params.groupStartStride + g + 1u];
  let credit = choiceOf(p, HYPER_ADVANTAGE_CREDIT);
  let takesSteps = isByTurn(credit) || hyperOf(p, HYPER_STEP_WEIGHT) != 0.0;
  let takesOptimal = isOptimalToken(p);
  let used = isUsed(p, b);
  let turns = turnsOf(p, b);

  if (takesSteps && used) {
    for (var k = lane; k < turns; k += LANES) {
      var step = 0.0;
      switch credit {
        case ADVANTAGE_CREDIT_TREE: { step = treeAdvantage(p, b, k, first, end); }
        case ADVANTAGE_CREDIT_TURN_REWARDS: { step = turnAdvantage(p, b, k, first, end); }
        case ADVANTAGE_CREDIT_OUTCOME, ADVANTAGE_CREDIT_REWARD_TO_GO, ADVANTAGE_CREDIT_GAE,
          ADVANTAGE_CREDIT_BILEVEL_GAE, default: {
          step = stepAdvantage(p, b, k, first, end);
        }
      }
      scratch[turnAt(p, TURN_STEP, b, k)] = step;
    }
  }
  storageBarrier();

  var greedy = 0.0;
  if (choiceOf(p, HYPER_ADVANTAGE_BASELINE) == ADVANTAGE_BASELINE_GREEDY && credit == ADVANTAGE_CREDIT_REWARD_TO_GO) {
    let own = outcomes[p * params.outcomesStride + b * OUTCOME_COLUMNS + OUTCOME_BASELINE];
    greedy = own * numberOf(p, b, TRAJECTORY_FACTOR);
  }
  var lengths = vec3f();
  if (takesOptimal) { lengths = lengthsOf(p, first, end); }

  var own = vec4f(0.0, 0.0, 1e30, -1e30);
  for (var t = lane; t < params.context; t += LANES) {
    let token = b * params.context + t;
    var x = 0.0;
    if (used) { x = advantage[p * params.advantageStride + token]; }
    if (used && isMasked(p, roleAt(p, b, t))) {
      x -= greedy;
      if (takesOptimal) { x -= optimalTokenBaseline(p, b, t, first, end, lengths); }
      if (takesSteps) {
        let k = u32(scratch[tokenAt(p, TOKEN_TURN, b, t)]);
        if (k < turns) { x += scratch[turnAt(p, TURN_STEP, b, k)]; }
      }
      own = vec4f(own.xy + vec2f(1.0, x), min(own.z, x), max(own.w, x));
    }
    advantage[p * params.advantageStride + token] = x;
    if (returnsAdvantage(credit)) { returns[p * params.returnsStride + token] = x; }
  }
  if (choiceOf(p, HYPER_WHITENING) == WHITENING_NONE) { return; }

  let all = gatherLanes(lane, own);
  let isEqual = all.z >= all.w;
  var mean = all.z;
  if (!isEqual) { mean = all.y / all.x; }
  var squares = vec4f();
  for (var t = lane; t < params.context; t += LANES) {
    if (isEqual || !isMasked(p, roleAt(p, b, t))) { continue; }
    let d = advantage[p * params.advantageStride + b * params.context + t] - mean;
    squares.x += d * d;
  }
  let allSquares = gatherLanes(lane, squares);
  if (lane > 0u) { return; }
  scratch[trajectoryAt(p, b, TRAJECTORY_SPREAD_COUNT)] = all.x;
  scratch[trajectoryAt(p, b, TRAJECTORY_SPREAD_MEAN)] = mean;
  scratch[trajectoryAt(p, b, TRAJECTORY_SPREAD_SQUARES)] = allSquares.x;
  scratch[trajectoryAt(p, b, TRAJECTORY_SPREAD_LOW)] = all.z;
  scratch[trajectoryAt(p, b, TRAJECTORY_SPREAD_HIGH)] = all.w;
}
