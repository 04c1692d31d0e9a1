// Compares each trajectory’s reward with its group’s: a normalised score.
// Second kernel of `advantages`: one normalised score a trajectory, shaped = (score − baseline)·factor, and the group
// table [P,groups,GROUP_COLUMNS]. In order: scores; length penalty; mean and equality of each group's rewards and
// deviation of its scores; groups that a filter keeps; baseline and scale of group, environment or batch. outcomes
// [P,B,OUTCOME_COLUMNS]. One workgroup per member; its lanes share trajectories or groups. Floor: 80·B bytes.
// #include "advantage/scratch.wgsl"
// #include "advantage/spread.wgsl"
// #include "advantage/baseline.wgsl"
// #include "lib/layout.wgsl"

// #write scratch, groupTable: f32
// #read groupStart: u32; outcomes: f32
// #params trajectories, context, turns, groups: u32

const LANES = 64u;
// Arguments of spreadOf: the score, the reward, every environment.
const SCORE = 255u;
const REWARD = 254u;
const EVERYWHERE = -1.0;

fn outcomeOf(p: u32, b: u32, column: u32) -> f32 {
  return outcomes[p * params.outcomesStride + b * OUTCOME_COLUMNS + column];
}
fn numberOf(p: u32, b: u32, column: u32) -> f32 { return scratch[trajectoryAt(p, b, column)]; }
fn firstOf(p: u32, g: u32) -> u32 { return groupStart[p * params.groupStartStride + g]; }
fn groupAt(p: u32, g: u32, column: u32) -> u32 { return p * params.groupTableStride + g * GROUP_COLUMNS + column; }
fn scoreOf(p: u32, b: u32) -> f32 { return numberOf(p, b, TRAJECTORY_SCORE); }
fn isNan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

// Spread of the score, the reward or one part of it, over the trajectories first … end − 1 whose column `flag` is 1.
fn spreadOf(p: u32, first: u32, end: u32, flag: u32, part: u32, environment: f32) -> Spread {
  var count = 0.0;
  var sum = 0.0;
  var squares = 0.0;
  var start = 0.0;
  var equal = true;
  for (var round = 0u; round < 2u; round++) {
    for (var b = first; b < end; b++) {
      if (numberOf(p, b, flag) == 0.0) { continue; }
      if (environment != EVERYWHERE && outcomeOf(p, b, OUTCOME_ENVIRONMENT) != environment) { continue; }
      var x = scoreOf(p, b);
      if (part == REWARD) { x = numberOf(p, b, TRAJECTORY_REWARD); }
      if (part < REWARD_PARTS) { x = outcomeOf(p, b, OUTCOME_PART + part); }
      if (isNan(x)) { continue; }
      if (round == 0u) {
        if (count == 0.0) { start = x; }
        equal = equal && x == start;
        count += 1.0;
        sum += x;
      } else {
        let d = x - sum / count;
        squares += d * d;
      }
    }
    if (equal) { break; }
  }
  if (equal) { return Spread(count, start, 0.0, true); }
  return Spread(count, sum / count, squares, false);
}

fn klInScore(p: u32, b: u32) -> f32 {
  if (choiceOf(p, HYPER_ADVANTAGE_CREDIT) != ADVANTAGE_CREDIT_OUTCOME) { return 0.0; }
  return hyperOf(p, HYPER_REWARD_KL) * numberOf(p, b, TRAJECTORY_KL);
}

fn writeScore(p: u32, b: u32) {
  let source = choiceOf(p, HYPER_REWARD_SOURCE);
  var score = 0.0;
  var isScored = true;
  if (source == REWARD_SOURCE_TOKENS) {
    score = scoreOf(p, b);
  } else {
    var weighted = 0u;
    var scored = 0u;
    for (var k = 0u; k < REWARD_PARTS; k++) {
      let weight = hyperOf(p, HYPER_REWARD_WEIGHT + k);
      if (weight == 0.0) { continue; }
      weighted += 1u;
      let part = outcomeOf(p, b, OUTCOME_PART + k);
      if (isNan(part)) { continue; }
      scored += 1u;
      score += weight * part;
    }
    isScored = scored > 0u || weighted == 0u;
    scratch[trajectoryAt(p, b, TRAJECTORY_REWARD)] = score;
  }
  if (source != REWARD_SOURCE_NORMALISED_PARTS) { score -= klInScore(p, b); }
  let isUsable = outcomeOf(p, b, OUTCOME_USABLE) != 0.0;
  scratch[trajectoryAt(p, b, TRAJECTORY_SCORE)] = select(0.0, score, isScored);
  scratch[trajectoryAt(p, b, TRAJECTORY_COUNTED)] = select(0.0, 1.0, isScored && isUsable);
}

// Number of a trajectory's tokens whose role is action, of its other tokens, of its turns.
fn lengthOf(p: u32, b: u32) -> vec3f {
  return vec3f(
    numberOf(p, b, TRAJECTORY_ACTIONS), numberOf(p, b, TRAJECTORY_INPUT), outcomeOf(p, b, OUTCOME_TURNS));
}

// Length penalty of one group: score −= mean score · Σ weight·x/(largest x of the group), x as in lengthOf.
fn penaliseLength(p: u32, first: u32, end: u32) {
  let weights = vec3f(
    hyperOf(p, HYPER_LENGTH_PENALTY_ACTION), hyperOf(p, HYPER_LENGTH_PENALTY_INPUT),
    hyperOf(p, HYPER_LENGTH_PENALTY_TURNS));
  if (all(weights == vec3f())) { return; }
  let mean = spreadOf(p, first, end, TRAJECTORY_COUNTED, SCORE, EVERYWHERE).mean;
  var largest = vec3f();
  for (var b = first; b < end; b++) {
    if (numberOf(p, b, TRAJECTORY_COUNTED) != 0.0) { largest = max(largest, lengthOf(p, b)); }
  }
  let scale = weights * vec3f(reciprocal(largest.x), reciprocal(largest.y), reciprocal(largest.z));
  for (var b = first; b < end; b++) {
    if (numberOf(p, b, TRAJECTORY_COUNTED) == 0.0) { continue; }
    scratch[trajectoryAt(p, b, TRAJECTORY_SCORE)] -= mean * dot(scale, lengthOf(p, b));
  }
}

fn writeGroup(p: u32, g: u32) {
  let first = firstOf(p, g);
  let end = firstOf(p, g + 1u);
  penaliseLength(p, first, end);
  let spread = spreadOf(p, first, end, TRAJECTORY_COUNTED, SCORE, EVERYWHERE);
  let rewards = spreadOf(p, first, end, TRAJECTORY_COUNTED, REWARD, EVERYWHERE);
  for (var b = first; b < end; b++) { scratch[trajectoryAt(p, b, TRAJECTORY_GROUP)] = f32(g); }
  for (var column = 0u; column < GROUP_COLUMNS; column++) { groupTable[groupAt(p, g, column)] = 0.0; }
  groupTable[groupAt(p, g, GROUP_MEAN)] = rewards.mean;
  groupTable[groupAt(p, g, GROUP_DEVIATION)] = sqrt(varianceOf(spread, choiceOf(p, HYPER_ADVANTAGE_DEVIATION)));
  groupTable[groupAt(p, g, GROUP_EQUAL)] = select(0.0, 1.0, rewards.equal);
}

fn isKept(p: u32, g: u32) -> bool {
  let kind = choiceOf(p, HYPER_GROUP_FILTER);
  let share = hyperOf(p, HYPER_GROUP_FILTER_SHARE);
  if (kind == GROUP_FILTER_NONE) { return true; }
  if (kind == GROUP_FILTER_UNEQUAL) {
    let rewards = spreadOf(p, firstOf(p, g), firstOf(p, g + 1u), TRAJECTORY_COUNTED, REWARD, EVERYWHERE);
    return !rewards.equal || rewards.count == 1.0;
  }
  let own = groupTable[groupAt(p, g, GROUP_DEVIATION)];
  var preceding = 0.0;
  var before = 0.0;
  var total = 0.0;
  for (var h = 0u; h < params.groups; h++) {
    let deviation = groupTable[groupAt(p, h, GROUP_DEVIATION)];
    let variance = deviation * deviation;
    total += variance;
    let isTie = abs(deviation - own) <= BOUND_TIE * own;
    if (select(deviation > own, h < g, isTie)) {
      preceding += 1.0;
      before += variance;
    }
  }
  // The share rounded down.
  if (kind == GROUP_FILTER_TOP_DEVIATION) {
    return preceding < max(1.0, floor(share * f32(params.groups) + BOUND_GROUPS));
  }
  return own > 0.0 && (before == 0.0 || before < share * total * (1.0 - BOUND_TIE));
}

// Σ weight·(part − mean)/deviation over the parts that could be scored; mean and deviation are the group's.
fn normalisedParts(p: u32, b: u32, first: u32, end: u32) -> f32 {
  var sum = 0.0;
  for (var k = 0u; k < REWARD_PARTS; k++) {
    let weight = hyperOf(p, HYPER_REWARD_WEIGHT + k);
    let part = outcomeOf(p, b, OUTCOME_PART + k);
    if (weight == 0.0 || isNan(part)) { continue; }
    let spread = spreadOf(p, first, end, TRAJECTORY_COUNTED, k, EVERYWHERE);
    let isRaw = spread.count == 1.0 && choiceOf(p, HYPER_SINGLETON_GROUP) == SINGLETON_GROUP_RAW;
    var scale = 1.0;
    if (choiceOf(p, HYPER_ADVANTAGE_SCALE) == ADVANTAGE_SCALE_GROUP_DEVIATION) { scale = groupScale(p, spread); }
    sum += weight * select(part - spread.mean, part, isRaw) * scale;
  }
  return sum;
}

fn writeShaped(p: u32, b: u32, wide: Shared) {
  let score = scoreOf(p, b);
  // Trajectory that is not counted: its advantage is 0. Its returns still come from its score, except with credit
  // outcome, where they are 0 too.
  var baseline = 0.0;
  var factor = 1.0;
  var shaped = score;
  if (numberOf(p, b, TRAJECTORY_COUNTED) != 0.0) {
    let g = u32(numberOf(p, b, TRAJECTORY_GROUP));
    let first = firstOf(p, g);
    let end = firstOf(p, g + 1u);
    if (choiceOf(p, HYPER_REWARD_SOURCE) == REWARD_SOURCE_NORMALISED_PARTS) {
      shaped = normalisedParts(p, b, first, end) - klInScore(p, b);
    } else {
      let spread = spreadOf(p, first, end, TRAJECTORY_COUNTED, SCORE, EVERYWHERE);
      // Under credit turn-rewards turns are compared by their own rewards; the score itself is taken.
      if (choiceOf(p, HYPER_ADVANTAGE_CREDIT) != ADVANTAGE_CREDIT_TURN_REWARDS) {
        let own = baselineOf(p, b, first, end, spread, wide.batch);
        baseline = own.x;
        factor = own.y * scaleOf(p, spread, wide);
      }
      shaped = (score - baseline) * factor;
    }
  }
  scratch[trajectoryAt(p, b, TRAJECTORY_BASELINE)] = baseline;
  scratch[trajectoryAt(p, b, TRAJECTORY_FACTOR)] = factor;
  scratch[trajectoryAt(p, b, TRAJECTORY_SHAPED)] = shaped;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  for (var b = lane; b < params.trajectories; b += LANES) { writeScore(p, b); }
  storageBarrier();
  for (var g = lane; g < params.groups; g += LANES) { writeGroup(p, g); }
  storageBarrier();
  for (var g = lane; g < params.groups; g += LANES) {
    let kept = select(0.0, 1.0, isKept(p, g));
    groupTable[groupAt(p, g, GROUP_KEPT)] = kept;
    for (var b = firstOf(p, g); b < firstOf(p, g + 1u); b++) {
      scratch[trajectoryAt(p, b, TRAJECTORY_USED)] = kept * numberOf(p, b, TRAJECTORY_COUNTED);
    }
  }
  storageBarrier();

  let scale = choiceOf(p, HYPER_ADVANTAGE_SCALE);
  let nothing = Spread(0.0, 0.0, 0.0, true);
  var wide = Shared(nothing, nothing, EVERYWHERE, 0.0);
  let baseline = choiceOf(p, HYPER_ADVANTAGE_BASELINE);
  if (scale == ADVANTAGE_SCALE_BATCH_DEVIATION || baseline == ADVANTAGE_BASELINE_BATCH_MEAN) {
    wide.batch = spreadOf(p, 0u, params.trajectories, TRAJECTORY_USED, SCORE, EVERYWHERE);
    wide.scope = wide.batch;
  }
  if (scale == ADVANTAGE_SCALE_NONZERO_SHARE) { wide.nonzero = nonzeroScale(p); }
  // A lane takes neighbours: their environment seldom changes, and its spread is found once for all of them.
  let run = (params.trajectories + LANES - 1u) / LANES;
  for (var b = lane * run; b < min((lane + 1u) * run, params.trajectories); b++) {
    if (scale == ADVANTAGE_SCALE_ENVIRONMENT_DEVIATION) {
      let environment = outcomeOf(p, b, OUTCOME_ENVIRONMENT);
      if (environment != wide.environment) {
        wide.environment = environment;
        wide.scope = spreadOf(p, 0u, params.trajectories, TRAJECTORY_USED, SCORE, environment);
      }
    }
    writeShaped(p, b, wide);
  }
}
