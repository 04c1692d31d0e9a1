// KL penalty and entropy bonus of each token, and their gradients.
// KL to the reference and entropy bonus on drawn tokens, w = actionWeight: dLogProb += w·klCoefficient·∂KL/∂logProb,
// dEntropy = −w·entropyCoefficient; terms KL (k3 in every arm), KL_ESTIMATE (the member's) and REGULARISER_LOSS
// (w·klCoefficient·KL; world_model/regularise_entropy.wgsl adds the entropy's). Thoughts have coefficients of their
// own. Other rows: 0, and dLogProb unchanged.
// logProb, dLogProb, dEntropy [P,R], terms [P,R,20], the others dense [P,B,T]. One thread per row. Floor: 56·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "world_model/kl.wgsl"
// #include "lib/layout.wgsl"

// #write dLogProb, dEntropy, terms: f32
// #read logProb, referenceLogProb, oldLogProb, actionWeight: f32; table: vec4u
// #params context (T): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  var byEntropy = 0.0;
  var kl = 0.0;
  var own = 0.0;
  var loss = 0.0;
  let isThought = roleOf(row.w) == ROLE_THOUGHT;
  if (row.y > 0u && isDrawn(roleOf(row.w))) {
    let dense = sequenceOf(row.w) * params.context + row.y;
    let here = logProb[p * params.logProbStride + r];
    let weight = actionWeight[p * params.actionWeightStride + dense];
    let d = here - referenceLogProb[p * params.referenceLogProbStride + dense];
    var estimate = memberKl(p, d);
    kl = klOf(d, KL_ESTIMATOR_K3, KL_CLAMP_LOG_RATIO, false).value;
    own = estimate.value;
    let coefficient = hyperOf(p, select(HYPER_KL_COEFFICIENT, HYPER_KL_THOUGHT, isThought));
    if (weight != 0.0 && coefficient != 0.0) {
      if (hyperOf(p, HYPER_KL_RATIO_WEIGHTED) != 0.0) {
        estimate = ratioWeighted(p, estimate, here - oldLogProb[p * params.oldLogProbStride + dense]);
      }
      dLogProb[p * params.dLogProbStride + r] += weight * coefficient * estimate.derivative;
      loss = weight * coefficient * estimate.value;
    }
    byEntropy = -weight * hyperOf(p, select(HYPER_ENTROPY_COEFFICIENT, HYPER_ENTROPY_THOUGHT, isThought));
  }
  dEntropy[p * params.dEntropyStride + r] = byEntropy;
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_KL] = kl;
  terms[to + TERM_REGULARISER_LOSS] = loss;
  terms[to + TERM_KL_ESTIMATE] = own;
}
