// Collects what a formula you write knows of tokens, trajectories and groups.
// Inputs of a formula that need no policy, of each token, trajectory and group: which tokens are the formula's own,
// their weight and turn, the turn's reward; the reward, success, turns and validity of trajectories; where groups begin
// and end. packed: see tables.wgsl. One thread a trajectory, which walks its tokens, and a group. Floor: 20·B·T bytes.
// #include "lib/grid.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"
// #include "formula/tables.wgsl"

// #uniform armHyper: vec4f[4096]
// #write packed: f32
// #read roles, groupStart: u32; group, outcomes, weight, tokenReward: f32
// #params trajectories (B), context (T), groups (G), columns, roleColumn (0: not needed): u32
// #params turnRewardColumn (0: not needed), needsReward: u32

fn isNan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn armHyperOf(p: u32, column: u32) -> f32 {
  let at = p * params.armHyperStride + column;
  return armHyper[at / 4u][at % 4u];
}

fn outcomeOf(p: u32, b: u32, column: u32) -> f32 {
  return outcomes[p * params.outcomesStride + b * OUTCOME_COLUMNS + column];
}

struct Reward {
  value: f32,
  isScored: bool,
}

// Reward from which advantages are made: the weighted parts that could be scored, or the rewards of tokens.
fn rewardOf(p: u32, b: u32) -> Reward {
  var reward = Reward(0.0, true);
  if (u32(armHyperOf(p, HYPER_REWARD_SOURCE)) == REWARD_SOURCE_TOKENS) {
    for (var token = b * params.context; token < (b + 1u) * params.context; token++) {
      if (!isTarget(roles[p * params.rolesStride + token])) { continue; }
      reward.value += tokenReward[p * params.tokenRewardStride + token];
    }
    return reward;
  }
  var weighted = 0u;
  var scored = 0u;
  for (var k = 0u; k < REWARD_PARTS; k++) {
    let share = armHyperOf(p, HYPER_REWARD_WEIGHT + k);
    if (share == 0.0) { continue; }
    weighted += 1u;
    let part = outcomeOf(p, b, OUTCOME_PART + k);
    if (isNan(part)) { continue; }
    scored += 1u;
    reward.value += share * part;
  }
  reward.isScored = scored > 0u || weighted == 0u;
  return reward;
}

fn startOf(p: u32, g: u32) -> u32 { return groupStart[p * params.groupStartStride + g]; }

fn counts(p: u32, b: u32, g: u32) -> bool {
  if (group[p * params.groupStride + g * GROUP_COLUMNS + GROUP_KEPT] == 0.0) { return false; }
  if (outcomeOf(p, b, OUTCOME_USABLE) == 0.0) { return false; }
  return params.needsReward == 0u || rewardOf(p, b).isScored;
}

fn trajectoryAt(p: u32, b: u32) -> u32 {
  return tokenAt(p, params.trajectories * params.context) + b * PACKED_TRAJECTORY_COLUMNS;
}

fn writeGroup(p: u32, g: u32) {
  let at = trajectoryAt(p, params.trajectories) + g * PACKED_GROUP_COLUMNS;
  var some = false;
  for (var b = startOf(p, g); b < startOf(p, g + 1u); b++) { some = some || counts(p, b, g); }
  packed[at + PACKED_GROUP_FIRST] = f32(startOf(p, g));
  packed[at + PACKED_GROUP_END] = f32(startOf(p, g + 1u));
  packed[at + PACKED_GROUP_COUNTS] = select(0.0, 1.0, some);
}

fn writeTrajectory(p: u32, b: u32) {
  var g = 0u;
  while (g + 1u < params.groups && startOf(p, g + 1u) <= b) { g++; }
  let isPart = counts(p, b, g);
  var turn = -1.0;
  var turnReward = 0.0;
  var turnStart = 0u;
  var before = NO_ROLE;
  var tokens = 0.0;
  for (var t = 0u; t < params.context; t++) {
    let token = b * params.context + t;
    let at = tokenAt(p, token);
    let role = roles[p * params.rolesStride + token];
    let isToken = isTarget(role);
    if (isDrawn(role) && !isDrawn(before)) {
      turn += 1.0;
      turnReward = 0.0;
      turnStart = t;
    }
    before = role;
    if (isToken) { turnReward += tokenReward[p * params.tokenRewardStride + token]; }
    let isOwn = isPart && isToken && hyperOf(p, HYPER_POLICY_GRADIENT + min(role, ROLES - 1u)) != 0.0;
    tokens += select(0.0, 1.0, isOwn);
    packed[at + PACKED_TOKEN_OWN] = select(0.0, 1.0, isOwn);
    packed[at + PACKED_TOKEN_WEIGHT] = select(0.0, weight[p * params.weightStride + token], isOwn);
    packed[at + PACKED_TOKEN_TURN] = turn;
    if (params.roleColumn != 0u) { packed[at + params.roleColumn] = f32(role); }
    let isLast = t + 1u == params.context;
    var next = NO_ROLE;
    if (!isLast) { next = roles[p * params.rolesStride + token + 1u]; }
    if (params.turnRewardColumn != 0u && (isLast || (isDrawn(next) && !isDrawn(role)))) {
      for (var back = turnStart; back <= t; back++) {
        packed[tokenAt(p, b * params.context + back) + params.turnRewardColumn] = turnReward;
      }
    }
  }
  let at = trajectoryAt(p, b);
  packed[at + PACKED_TRAJECTORY_COUNTS] = select(0.0, 1.0, isPart);
  packed[at + PACKED_TRAJECTORY_GROUP] = f32(g);
  packed[at + PACKED_TRAJECTORY_TOKENS] = tokens;
  packed[at + PACKED_TRAJECTORY_REWARD] = select(0.0, rewardOf(p, b).value, isPart);
  packed[at + PACKED_TRAJECTORY_SUCCESS] = outcomeOf(p, b, OUTCOME_SOLVED);
  packed[at + PACKED_TRAJECTORY_TURNS] = outcomeOf(p, b, OUTCOME_TURNS);
  packed[at + PACKED_TRAJECTORY_VALID] = outcomeOf(p, b, OUTCOME_VALID);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(block) * 64u + lane;
  if (i < params.trajectories) { writeTrajectory(block.z, i); }
  if (i < params.groups) { writeGroup(block.z, i); }
}
