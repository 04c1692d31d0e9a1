// Weight of each token in the world-model loss.
// Weight of each token's world-model loss: crossEntropy[ρ] · clamp(1 − group mean/scale, 0, 1) ÷ the member's
// denominators on selected tokens, else 0; in full in operations/worldModel.ts. Three dispatches of one thread per
// trajectory: 0 counts, 1 selects, 2 divides; between 0 and 1 world_model/turns.wgsl chooses turns.
// crossEntropyWeight [P,B,T]; scratch [P,B·trajectoryStride]. Floor: 16·B·T bytes.
// #include "lib/grid.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"
// #include "world_model/scratch.wgsl"

// #write crossEntropyWeight, scratch: f32
// #read roles, groupStart: u32; outcomes, oldEntropy, group: f32
// #params trajectories (B), context (T), groups, trajectoryStride (elements of scratch a trajectory takes): u32
// #params stage: u32

fn countOf(p: u32, b: u32, what: u32) -> f32 {
  return scratch[scratchAt(p, b, what)];
}

// The group of trajectory b, and its bounds.
fn groupOf(p: u32, b: u32) -> vec3u {
  let at = p * params.groupStartStride;
  var g = 0u;
  while (g + 1u < params.groups && groupStart[at + g + 1u] <= b) { g++; }
  return vec3u(g, groupStart[at + g], groupStart[at + g + 1u]);
}

fn countTokens(p: u32, b: u32) {
  let to = p * params.scratchStride + b * params.trajectoryStride;
  let tokens = p * params.rolesStride + b * params.context;
  let entropies = p * params.oldEntropyStride + b * params.context;
  let looks = choosesTurns(p);
  var observations = 0u;
  var actions = 0u;
  var turns = 0u;
  var length = 0u; // of the current run of action tokens
  var sum = 0.0;
  for (var t = 0u; t < params.context; t++) {
    let role = roles[tokens + t];
    if (role == ROLE_OBSERVATION || role == ROLE_WARNING) { observations++; }
    if (!isDrawn(role)) {
      length = 0u;
      continue;
    }
    actions++;
    if (!looks) { continue; }
    if (length == 0u) {
      turns++;
      sum = 0.0;
    }
    length++;
    sum += oldEntropy[entropies + t];
    scratch[to + TRAJECTORY_COUNTS + turns - 1u] = sum / f32(length);
  }
  scratch[to + OBSERVATIONS] = f32(observations);
  scratch[to + ACTIONS] = f32(actions);
  scratch[to + TURNS] = f32(turns);
}

fn isChosen(p: u32, b: u32) -> bool {
  let at = p * params.outcomesStride + b * OUTCOME_COLUMNS;
  let wanted = u32(hyperOf(p, HYPER_WORLD_MODEL_TRAJECTORIES));
  let solved = outcomes[at + OUTCOME_SOLVED] != 0.0;
  if (wanted == WORLD_MODEL_TRAJECTORIES_FAILED && solved) { return false; }
  if (wanted == WORLD_MODEL_TRAJECTORIES_SOLVED && !solved) { return false; }
  return !(outcomes[at + OUTCOME_VALID] < hyperOf(p, HYPER_WORLD_MODEL_MIN_VALID));
}

fn selectTokens(p: u32, b: u32) {
  let tokens = p * params.rolesStride + b * params.context;
  let to = p * params.crossEntropyWeightStride + b * params.context;
  let chosen = isChosen(p, b);
  let looks = choosesTurns(p);
  var selected = 0u;
  var turn = 0u;
  var inDrawn = false;
  var inTurn = !looks;
  for (var t = 0u; t < params.context; t++) {
    let role = roles[tokens + t];
    let drawn = isDrawn(role);
    if (looks && drawn && !inDrawn) {
      inTurn = countOf(p, b, TRAJECTORY_COUNTS + turn) != 0.0;
      turn++;
    }
    inDrawn = drawn;
    var weight = 0.0;
    if (chosen && inTurn && isTarget(role)) { weight = hyperOf(p, HYPER_CROSS_ENTROPY + role); }
    if (weight != 0.0) { selected++; }
    crossEntropyWeight[to + t] = weight;
  }
  scratch[p * params.scratchStride + b * params.trajectoryStride + SELECTED] = f32(selected);
}

// Divisor from a count: at least 1, plus the member's ε.
fn divisor(p: u32, count: f32) -> f32 { return max(count, 1.0) + hyperOf(p, HYPER_WORLD_MODEL_COUNT_EPSILON); }

fn sequenceDenominator(p: u32, b: u32, bounds: vec2u) -> f32 {
  switch (u32(hyperOf(p, HYPER_WORLD_MODEL_SEQUENCE_DENOMINATOR))) {
    case WORLD_MODEL_SEQUENCE_DENOMINATOR_SELECTED_TOKENS: { return divisor(p, countOf(p, b, SELECTED)); }
    case WORLD_MODEL_SEQUENCE_DENOMINATOR_OBSERVATION_TOKENS: { return divisor(p, countOf(p, b, OBSERVATIONS)); }
    case WORLD_MODEL_SEQUENCE_DENOMINATOR_LENGTH: {
      let length = hyperOf(p, HYPER_WORLD_MODEL_LENGTH);
      return select(length, f32(params.context), length == 0.0);
    }
    case WORLD_MODEL_SEQUENCE_DENOMINATOR_GROUP_SELECTED_TOKENS: {
      var inGroup = 0.0;
      for (var other = bounds.x; other < bounds.y; other++) { inGroup += countOf(p, other, SELECTED); }
      return divisor(p, inGroup);
    }
    case WORLD_MODEL_SEQUENCE_DENOMINATOR_NONE, default: { return 1.0; }
  }
}

fn batchDenominator(p: u32) -> f32 {
  var all = vec3f(0.0); // selected, observation and warning, action tokens
  var having = vec3f(0.0); // trajectories with such tokens
  for (var b = 0u; b < params.trajectories; b++) {
    let own = vec3f(countOf(p, b, SELECTED), countOf(p, b, OBSERVATIONS), countOf(p, b, ACTIONS));
    all += own;
    having += min(own, vec3f(1.0));
  }
  switch (u32(hyperOf(p, HYPER_WORLD_MODEL_BATCH_DENOMINATOR))) {
    case WORLD_MODEL_BATCH_DENOMINATOR_ACTION_TOKENS: { return divisor(p, all.z); }
    case WORLD_MODEL_BATCH_DENOMINATOR_ALL_TOKENS: { return divisor(p, all.y + all.z); }
    case WORLD_MODEL_BATCH_DENOMINATOR_SEQUENCES: { return f32(params.trajectories); }
    case WORLD_MODEL_BATCH_DENOMINATOR_SELECTED_SEQUENCES: { return max(having.x, 1.0); }
    case WORLD_MODEL_BATCH_DENOMINATOR_ACTION_SEQUENCES: { return max(having.z, 1.0); }
    case WORLD_MODEL_BATCH_DENOMINATOR_GROUPS: { return f32(params.groups); }
    case WORLD_MODEL_BATCH_DENOMINATOR_GIVEN: {
      let given = hyperOf(p, HYPER_WORLD_MODEL_DENOMINATOR);
      return select(given, 1.0, given == 0.0);
    }
    case WORLD_MODEL_BATCH_DENOMINATOR_NONE: { return 1.0; }
    case WORLD_MODEL_BATCH_DENOMINATOR_SELECTED_TOKENS, default: { return divisor(p, all.x); }
  }
}

fn divide(p: u32, b: u32) {
  let own = groupOf(p, b);
  var factor = 1.0;
  let scale = hyperOf(p, HYPER_WORLD_MODEL_REWARD_SCALE);
  if (scale > 0.0) {
    factor = clamp(1.0 - group[p * params.groupStride + own.x * GROUP_COLUMNS + GROUP_MEAN] / scale, 0.0, 1.0);
  }
  factor /= batchDenominator(p) * sequenceDenominator(p, b, own.yz);
  let to = p * params.crossEntropyWeightStride + b * params.context;
  for (var t = 0u; t < params.context; t++) { crossEntropyWeight[to + t] *= factor; }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = workgroup.z;
  let b = lineOf(workgroup) * 64u + lane;
  if (b >= params.trajectories) { return; }
  switch (params.stage) {
    case 0u: { countTokens(p, b); }
    case 1u: { selectTokens(p, b); }
    default: { divide(p, b); }
  }
}
