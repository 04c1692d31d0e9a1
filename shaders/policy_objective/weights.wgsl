// Weight of each token in the policy loss.
// policyWeight = role's weight · correction for decoding · lossScale / denominator on carrying tokens, actionWeight =
// lossScale / denominator on action tokens; 0 elsewhere, in dropped groups and in trajectories that are not usable.
// From the counts of policy_objective/counts.wgsl. roles, log-probs and both weights [P,B,T]. One thread per token.
// Floor: 20·B·T bytes.
// #include "lib/grid.wgsl"
// #include "policy_objective/decoding.wgsl"

// #write policyWeight, actionWeight: f32
// #read scratch: f32; roles: u32; oldLogProb, behaviourLogProb: f32
// #params trajectories (B), context (T): u32

// lossScale ÷ denominator for a trajectory with `own` of the batch's `all` tokens, in `counted` trajectories.
fn aggregationOf(p: u32, own: f32, all: f32, counted: f32) -> f32 {
  if (own == 0.0) { return 0.0; }
  let tokens = orElse(hyperOf(p, HYPER_TOKEN_DENOMINATOR), all);
  let sequences = orElse(hyperOf(p, HYPER_SEQUENCE_DENOMINATOR), counted);
  var denominator = tokens;
  switch (choiceOf(p, HYPER_AGGREGATION)) {
    case AGGREGATION_TOKEN_SUM: { denominator = 1.0; }
    case AGGREGATION_SEQ_MEAN_TOKEN_MEAN: { denominator = sequences * own; }
    case AGGREGATION_SEQ_MEAN_TOKEN_SUM: { denominator = sequences; }
    case AGGREGATION_SEQ_MEAN_TOKEN_SUM_NORM: {
      denominator = sequences * orElse(hyperOf(p, HYPER_LENGTH_DENOMINATOR), f32(params.context));
    }
    case AGGREGATION_TOKEN_MEAN, default: {}
  }
  return orElse(hyperOf(p, HYPER_LOSS_SCALE), 1.0) / denominator;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let at = lineOf(block) * 64u + lane;
  if (at >= params.trajectories * params.context) { return; }
  let own = p * params.scratchStride + 4u * (at / params.context);
  let totals = p * params.scratchStride + 4u * params.trajectories;
  let role = roles[p * params.rolesStride + at];
  let drawn = isDrawn(role);
  var byPolicy = 0.0;
  var byAction = 0.0;
  if (scratch[own + 3u] == 2.0) {
    let weight = roleWeightOf(p, role);
    if (weight != 0.0) {
      byPolicy = weight * aggregationOf(p, scratch[own], scratch[totals], scratch[totals + 1u]);
      // vespo takes the correction into its ratio.
      let corrects = correctionOf(p) != DECODING_CORRECTION_NONE && choiceOf(p, HYPER_SURROGATE) != SURROGATE_VESPO;
      if (drawn && corrects) {
        let gap =
          oldLogProb[p * params.oldLogProbStride + at] - behaviourLogProb[p * params.behaviourLogProbStride + at];
        byPolicy *= decodingFactor(p, gap, scratch[own + 2u], scratch[own + 1u]);
      }
    }
    if (drawn) { byAction = aggregationOf(p, scratch[own + 1u], scratch[totals + 2u], scratch[totals + 3u]); }
  }
  policyWeight[p * params.policyWeightStride + at] = byPolicy;
  actionWeight[p * params.actionWeightStride + at] = byAction;
}
