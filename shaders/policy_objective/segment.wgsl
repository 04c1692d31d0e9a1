// Numbers of the segments of a member's rows, for kernels that keep them in different places: `put` is theirs.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/surrogate.wgsl"
// #include "policy_objective/decoding.wgsl"

struct Carrying {
  isCarrying: bool,
  isDrawn: bool,
  dense: u32,
  logProb: f32,
  baseLogProb: f32,
  decoding: f32, // old − behaviour log-prob of a drawn token; 0 for other roles
}

fn carryingAt(p: u32, r: u32) -> Carrying {
  let row = table[p * params.tableStride + r];
  let role = targetRole(row);
  let dense = sequenceOf(row.w) * params.context + row.y;
  var token = Carrying(roleWeightOf(p, role) != 0.0, isDrawn(role), dense, 0.0, 0.0, 0.0);
  if (!token.isCarrying && !token.isDrawn) { return token; }
  token.logProb = logProb[p * params.logProbStride + r];
  token.baseLogProb = oldLogProb[p * params.oldLogProbStride + dense];
  if (token.isDrawn) {
    let recorded = behaviourLogProb[p * params.behaviourLogProbStride + dense];
    token.decoding = token.baseLogProb - recorded;
    if (choiceOf(p, HYPER_RATIO_BASE) == RATIO_BASE_BEHAVIOUR) { token.baseLogProb = recorded; }
  }
  return token;
}

fn advantageAt(p: u32, dense: u32) -> f32 { return advantage[p * params.advantageStride + dense]; }

fn selectionAt(p: u32, dense: u32, isTooFar: bool) -> f32 {
  return select(selection[p * params.selectionStride + dense], 0.0, isTooFar && advantageAt(p, dense) < 0.0);
}

// A token's term in the segment's log-ratio.
fn shareOf(p: u32, surrogate: u32, token: Carrying) -> f32 {
  let d = token.logProb - token.baseLogProb;
  if (surrogate == SURROGATE_VESPO) { return clamp(d, -EXPONENT_LOG_RATIO, EXPONENT_LOG_RATIO); }
  if (surrogate != SURROGATE_GMPO) { return d; }
  let a = advantageAt(p, token.dense);
  if (a == 0.0) { return 0.0; }
  return select(max(d, -hyperOf(p, HYPER_CLIP_LOW)), min(d, hyperOf(p, HYPER_CLIP_HIGH)), a > 0.0);
}

fn logFactor(p: u32, gap: f32, sum: f32, count: f32) -> f32 {
  let factor = decodingFactor(p, gap, sum, count);
  if (factor <= 0.0) { return BOUND_VESPO_LOW; }
  return clamp(log(factor), BOUND_VESPO_LOW, BOUND_VESPO_HIGH);
}

// Logarithm of vespo's correction for decoding: a sum over action tokens, or one for the segment (decodingLevel).
fn logDecodingFactor(p: u32, first: u32, end: u32) -> f32 {
  if (correctionOf(p) == DECODING_CORRECTION_NONE) { return 0.0; }
  var sum = 0.0;
  var actions = 0.0;
  for (var r = first; r < end; r++) {
    let token = carryingAt(p, r);
    if (token.isCarrying && token.isDrawn) {
      sum += token.decoding;
      actions += 1.0;
    }
  }
  if (choiceOf(p, HYPER_DECODING_LEVEL) != DECODING_LEVEL_TOKEN) {
    if (actions == 0.0) { return 0.0; }
    return logFactor(p, 0.0, sum, actions);
  }
  var total = 0.0;
  for (var r = first; r < end; r++) {
    let token = carryingAt(p, r);
    if (token.isCarrying && token.isDrawn) { total += logFactor(p, token.decoding, sum, actions); }
  }
  return total;
}

// Writes the rows first … end − 1, which are one segment.
fn writeSegment(p: u32, first: u32, end: u32, isTooFar: bool) {
  let surrogate = choiceOf(p, HYPER_SURROGATE);
  var x = 0.0;
  var tokens = 0.0;
  for (var r = first; r < end; r++) {
    let token = carryingAt(p, r);
    if (token.isCarrying) {
      x += shareOf(p, surrogate, token);
      tokens += 1.0;
    }
  }
  let isSum = surrogate != SURROGATE_GMPO && choiceOf(p, HYPER_RATIO_REDUCTION) == RATIO_REDUCTION_SUM;
  let divisor = select(max(tokens, 1.0), 1.0, isSum);
  if (surrogate == SURROGATE_VESPO) {
    x = clamp(x + logDecodingFactor(p, first, end), BOUND_VESPO_LOW, BOUND_VESPO_HIGH);
  } else {
    x /= divisor;
  }
  var joint = 0.0;
  if (isShared(p)) {
    for (var r = first; r < end; r++) {
      let token = carryingAt(p, r);
      if (!token.isCarrying) { continue; }
      let weight = policyWeight[p * params.policyWeightStride + token.dense];
      let chosen = selectionAt(p, token.dense, isTooFar);
      if (weight == 0.0 || chosen == 0.0) { continue; }
      let a = advantageAt(p, token.dense);
      joint += weight * surrogateAt(p, x, token.logProb, token.baseLogProb, a, chosen).byRatio;
    }
    joint /= divisor;
  }
  for (var r = first; r < end; r++) {
    let token = carryingAt(p, r);
    var row = Segment(0.0, token.decoding, 0.0, 0.0);
    if (token.isCarrying) { row = Segment(x, token.decoding, joint, selectionAt(p, token.dense, isTooFar)); }
    put(p, r, row);
  }
}

// True if the mean of (recorded − present log-prob) is above offPolicyLimit; where nothing is recorded: old − present.
fn isTooFarOff(p: u32, first: u32, end: u32) -> bool {
  let limit = hyperOf(p, HYPER_OFF_POLICY_LIMIT);
  if (limit == 0.0) { return false; }
  let fromBehaviour = choiceOf(p, HYPER_RATIO_BASE) == RATIO_BASE_BEHAVIOUR;
  var sum = 0.0;
  var tokens = 0.0;
  for (var r = first; r < end; r++) {
    let token = carryingAt(p, r);
    if (token.isCarrying) {
      sum += token.baseLogProb - select(token.decoding, 0.0, fromBehaviour) - token.logProb;
      tokens += 1.0;
    }
  }
  return sum / max(tokens, 1.0) > limit;
}

// Segments that the thread of row `first` writes.
fn segmentsFrom(p: u32, first: u32) {
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let level = ratioLevelOf(p);
  let isTokenwise = level == RATIO_LEVEL_TOKEN && hyperOf(p, HYPER_OFF_POLICY_LIMIT) == 0.0;
  if (!isTokenwise && table[p * params.tableStride + first].y != 0u) { return; }
  var end = first + 1u;
  while (!isTokenwise && end < rows && table[p * params.tableStride + end].y != 0u) { end++; }
  let isTooFar = isTooFarOff(p, first, end);
  // Segments end before each row (token), before each turn's first action (turn), and at the trajectory's end. There is
  // one call of writeSegment, because compilers copy a function to each of its calls, and this one is long.
  var start = first;
  var before = NO_ROLE;
  for (var r = first; r <= end; r++) {
    var isOver = r == end;
    if (!isOver) {
      let role = targetRole(table[p * params.tableStride + r]);
      let isTurn = isDrawn(role) && !isDrawn(before);
      before = role;
      isOver = r > start && (level == RATIO_LEVEL_TOKEN || (level == RATIO_LEVEL_TURN && isTurn));
    }
    if (isOver) {
      writeSegment(p, start, r, isTooFar);
      start = r;
    }
  }
}
