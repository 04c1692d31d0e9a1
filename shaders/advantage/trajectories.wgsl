// Counts and adds up what the advantages need of each trajectory.
// First kernel of `advantages`: counts and sums over each trajectory's tokens. For each token: the number of action
// tokens and of turns before it, its KL (if in the reward) and the running weight W = Σ 1 − 2π + Σ π² (optimal token
// baseline). The score begins as reward + predictionReward · mean probability of the observation tokens. All [P,B,T].
// One thread per trajectory, first token to last: the sum of rewards must not depend on how far apart they stand.
// Floor: 12·B·T bytes.
// #include "lib/grid.wgsl"
// #include "world_model/kl.wgsl"
// #include "advantage/scratch.wgsl"
// #include "advantage/mask.wgsl"

// #write scratch: f32
// #read roles: u32; tokenReward, oldLogProb, referenceLogProb, sumOfSquares: f32
// #params trajectories, context, turns: u32

fn estimatorOf(p: u32) -> u32 {
  switch (choiceOf(p, HYPER_REWARD_KL_ESTIMATOR)) {
    case REWARD_KL_ESTIMATOR_K1: { return KL_ESTIMATOR_K1; }
    case REWARD_KL_ESTIMATOR_ABS: { return KL_ESTIMATOR_ABS; }
    case REWARD_KL_ESTIMATOR_K2: { return KL_ESTIMATOR_K2; }
    case REWARD_KL_ESTIMATOR_K3, default: { return KL_ESTIMATOR_K3; }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let b = lineOf(group) * 64u + lane;
  if (b >= params.trajectories) { return; }
  let takesKl = hyperOf(p, HYPER_REWARD_KL) != 0.0;
  let takesWeight = isOptimalToken(p);
  let byOrdinal = placesByOrdinal(p);
  var reward = 0.0;
  var klSum = 0.0;
  var weight = 0.0;
  var length = 0u;
  var actions = 0u;
  var input = 1u;
  var turns = 0u;
  var last = 0u;
  var response = params.context;
  let prediction = hyperOf(p, HYPER_PREDICTION_REWARD);
  var predicted = 0.0;
  var observations = 0.0;
  for (var t = 0u; t < params.context; t++) {
    let role = roleAt(p, b, t);
    let token = b * params.context + t;
    var kl = 0.0;
    scratch[tokenAt(p, TOKEN_ORDINAL, b, t)] = f32(length);
    scratch[tokenAt(p, TOKEN_TURN, b, t)] = f32(turns);
    if (isTarget(role)) {
      // In order, so that equal rewards give an equal sum wherever in the trajectory they were given.
      reward += tokenReward[p * params.tokenRewardStride + token];
      if (role != ROLE_PROMPT) { response = min(response, t); }
      if (isDrawn(role)) { actions += 1u; } else { input += 1u; }
      if (endsTurn(p, b, t)) { turns += 1u; }
      if (role == ROLE_OBSERVATION && prediction != 0.0) {
        predicted += exp(oldLogProb[p * params.oldLogProbStride + token]);
        observations += 1.0;
      }
    }
    let isHere = isMasked(p, role);
    if (isHere && (takesKl || takesWeight)) {
      let here = oldLogProb[p * params.oldLogProbStride + token];
      if (takesKl) {
        let d = here - referenceLogProb[p * params.referenceLogProbStride + token];
        kl = klOf(d, estimatorOf(p), KL_CLAMP_LOG_RATIO_AND_VALUE, false).value;
        klSum += kl;
      }
      if (takesWeight) {
        weight += 1.0 - 2.0 * exp(here) + sumOfSquares[p * params.sumOfSquaresStride + token];
        scratch[tokenAt(p, TOKEN_WEIGHT, b, select(t, length, byOrdinal))] = weight;
      }
    }
    scratch[tokenAt(p, TOKEN_KL, b, t)] = kl;
    if (isHere) {
      length += 1u;
      last = t + 1u;
    } else if (takesWeight && !byOrdinal) {
      scratch[tokenAt(p, TOKEN_WEIGHT, b, t)] = 0.0;
    }
  }
  if (takesWeight && byOrdinal) {
    for (var place = length; place < params.context; place++) { scratch[tokenAt(p, TOKEN_WEIGHT, b, place)] = 0.0; }
  }
  scratch[trajectoryAt(p, b, TRAJECTORY_REWARD)] = reward;
  if (observations > 0.0) { reward += prediction * predicted / observations; }
  scratch[trajectoryAt(p, b, TRAJECTORY_SCORE)] = reward;
  scratch[trajectoryAt(p, b, TRAJECTORY_KL)] = klSum;
  scratch[trajectoryAt(p, b, TRAJECTORY_LENGTH)] = f32(length);
  scratch[trajectoryAt(p, b, TRAJECTORY_ACTIONS)] = f32(actions);
  scratch[trajectoryAt(p, b, TRAJECTORY_INPUT)] = f32(input);
  scratch[trajectoryAt(p, b, TRAJECTORY_TURNS)] = f32(turns);
  scratch[trajectoryAt(p, b, TRAJECTORY_RESPONSE)] = f32(response % params.context);
  scratch[trajectoryAt(p, b, TRAJECTORY_LAST)] = f32(last);
}
