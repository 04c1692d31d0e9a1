// First kernel of `advantages`: what is known of each trajectory before its reward is looked at. Counts and sums over
// tokens; for each token the action tokens and the turns before it, its KL (when in the reward) and the running weight
// W = Σ 1 − 2π + Σ π² (optimal token baseline). All [P,B,T]. A workgroup per trajectory, a run of tokens a lane; lanes
// then add up the runs before theirs. Floor: 12·B·T bytes.
// #include "grid.wgsl"
// #include "kl.wgsl"
// #include "advantage_scratch.wgsl"
// #include "advantage_mask.wgsl"

struct Params {
  gridWidth: u32,
  rolesStride: u32,
  tokenRewardStride: u32,
  oldLogProbStride: u32,
  referenceLogProbStride: u32,
  sumOfSquaresStride: u32,
  scratchStride: u32,
  hyperStride: u32,
  trajectories: u32,
  context: u32,
  turns: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(2) var<storage, read_write> scratch: array<f32>;
@group(0) @binding(3) var<storage, read> roles: array<u32>;
@group(0) @binding(4) var<storage, read> tokenReward: array<f32>;
@group(0) @binding(5) var<storage, read> oldLogProb: array<f32>;
@group(0) @binding(6) var<storage, read> referenceLogProb: array<f32>;
@group(0) @binding(7) var<storage, read> sumOfSquares: array<f32>;

const LANES = 64u;

// Of each lane's tokens: (action tokens, turns, weight, KL), (role action, other roles, last action token, response).
var<workgroup> sums: array<vec4f, 64>;
var<workgroup> counts: array<vec4f, 64>;

fn estimatorOf(p: u32) -> u32 {
  switch (choiceOf(p, HYPER_REWARD_KL_ESTIMATOR)) {
    case REWARD_KL_ESTIMATORS_K1: { return KL_ESTIMATORS_K1; }
    case REWARD_KL_ESTIMATORS_ABS: { return KL_ESTIMATORS_ABS; }
    case REWARD_KL_ESTIMATORS_K2: { return KL_ESTIMATORS_K2; }
    default: { return KL_ESTIMATORS_K3; }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let b = lineOf(group);
  if (b >= params.trajectories) { return; }
  let run = (params.context + LANES - 1u) / LANES;
  let first = min(lane * run, params.context);
  let end = min(first + run, params.context);
  let takesKl = hyperOf(p, HYPER_REWARD_KL) != 0.0;
  let takesWeight = isOptimalToken(p);
  let none = f32(params.context);

  var own = vec4f();
  var ownCounts = vec4f(0.0, 0.0, 0.0, none);
  for (var t = first; t < end; t++) {
    let role = roleAt(p, b, t);
    var kl = 0.0;
    var weight = 0.0;
    if (isTarget(role)) {
      let isAction = role == ROLE_ACTION;
      ownCounts += vec4f(select(0.0, 1.0, isAction), select(1.0, 0.0, isAction), 0.0, 0.0);
      if (role != ROLE_PROMPT) { ownCounts.w = min(ownCounts.w, f32(t)); }
      if (endsTurn(p, b, t)) { own.y += 1.0; }
    }
    if (isMasked(p, role)) {
      let token = b * params.context + t;
      own.x += 1.0;
      ownCounts.z = f32(t + 1u);
      if (takesKl || takesWeight) {
        let here = oldLogProb[p * params.oldLogProbStride + token];
        if (takesKl) {
          let d = here - referenceLogProb[p * params.referenceLogProbStride + token];
          kl = klOf(d, estimatorOf(p), KL_CLAMPS_LOG_RATIO_AND_VALUE, false).value;
        }
        if (takesWeight) { weight = 1.0 - 2.0 * exp(here) + sumOfSquares[p * params.sumOfSquaresStride + token]; }
      }
    }
    own += vec4f(0.0, 0.0, weight, kl);
    scratch[tokenAt(p, TOKEN_KL, b, t)] = kl;
    // Until the runs before are known: the weight of the token alone, at its position.
    scratch[tokenAt(p, TOKEN_GAIN, b, t)] = weight;
  }
  sums[lane] = own;
  counts[lane] = ownCounts;
  workgroupBarrier();

  var before = vec4f();
  var all = vec4f();
  var allCounts = vec4f(0.0, 0.0, 0.0, none);
  for (var i = 0u; i < LANES; i++) {
    if (i == lane) { before = all; }
    all += sums[i];
    let other = counts[i];
    allCounts = vec4f(allCounts.xy + other.xy, max(allCounts.z, other.z), min(allCounts.w, other.w));
  }
  let length = u32(all.x);
  let byOrdinal = placesByOrdinal(p);
  for (var t = first; t < end; t++) {
    scratch[tokenAt(p, TOKEN_ORDINAL, b, t)] = before.x;
    scratch[tokenAt(p, TOKEN_TURN, b, t)] = before.y;
    let isHere = isMasked(p, roleAt(p, b, t));
    if (endsTurn(p, b, t)) { before.y += 1.0; }
    if (takesWeight) {
      before.z += scratch[tokenAt(p, TOKEN_GAIN, b, t)];
      if (isHere) { scratch[tokenAt(p, TOKEN_WEIGHT, b, select(t, u32(before.x), byOrdinal))] = before.z; }
      // Places that no action token has.
      if (select(!isHere, t >= length, byOrdinal)) { scratch[tokenAt(p, TOKEN_WEIGHT, b, t)] = 0.0; }
    }
    if (isHere) { before.x += 1.0; }
  }

  if (lane > 0u) { return; }
  // One after the other, so that equal rewards give an equal sum wherever in the trajectory they were given.
  var reward = 0.0;
  for (var t = 0u; t < params.context; t++) {
    if (isTarget(roleAt(p, b, t))) { reward += tokenReward[p * params.tokenRewardStride + b * params.context + t]; }
  }
  scratch[trajectoryAt(p, b, TRAJECTORY_REWARD)] = reward;
  scratch[trajectoryAt(p, b, TRAJECTORY_KL)] = all.w;
  scratch[trajectoryAt(p, b, TRAJECTORY_LENGTH)] = all.x;
  scratch[trajectoryAt(p, b, TRAJECTORY_ACTIONS)] = allCounts.x;
  scratch[trajectoryAt(p, b, TRAJECTORY_INPUT)] = allCounts.y + 1.0;
  scratch[trajectoryAt(p, b, TRAJECTORY_TURNS)] = all.y;
  scratch[trajectoryAt(p, b, TRAJECTORY_RESPONSE)] = select(allCounts.w, 0.0, allCounts.w == none);
  scratch[trajectoryAt(p, b, TRAJECTORY_LAST)] = allCounts.z;
}
