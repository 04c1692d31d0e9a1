// KL penalty and entropy bonus of each token, and their gradients.
// KL to the reference and entropy bonus on drawn tokens, w = actionWeight: dLogProb += w·klCoefficient·∂KL/∂logProb,
// dEntropy = −w·entropyCoefficient; terms KL (k3 in every arm), KL_ESTIMATE (the member's) and REGULARISER_LOSS
// (w·klCoefficient·KL; world_model/regularise_entropy.wgsl adds the entropy's). Thoughts have coefficients of their
// own. Other rows: 0, and dLogProb unchanged. logProb, dLogProb, dEntropy [P,R], terms [P,R,TERM_COLUMNS], the others
// dense [P,B,T]. One thread per row. Floor: 56·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "world_model/regularised.wgsl"

// #write dLogProb, dEntropy, terms: f32
// #read logProb, referenceLogProb, oldLogProb, actionWeight: f32; table: vec4u
// #params context (T): u32

fn logProbAt(p: u32, r: u32) -> f32 { return logProb[p * params.logProbStride + r]; }
fn referenceLogProbAt(p: u32, dense: u32) -> f32 { return referenceLogProb[p * params.referenceLogProbStride + dense]; }
fn oldLogProbAt(p: u32, dense: u32) -> f32 { return oldLogProb[p * params.oldLogProbStride + dense]; }
fn actionWeightAt(p: u32, dense: u32) -> f32 { return actionWeight[p * params.actionWeightStride + dense]; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  regularise(p, r, select(roleOf(row.w), NO_ROLE, row.y == 0u), sequenceOf(row.w) * params.context + row.y);
}
