// KL penalty and entropy bonus of one token: adds to its derivative by log-prob, and writes that by entropy and the
// terms. logProbAt … actionWeightAt are of the kernel that includes it.
// #include "world_model/kl.wgsl"
// #include "lib/layout.wgsl"

// Writes terms of row r and adds to its derivatives. role: of its target; dense: its index in [B,T].
fn regularise(p: u32, r: u32, role: u32, dense: u32) {
  var byEntropy = 0.0;
  var kl = 0.0;
  var own = 0.0;
  var loss = 0.0;
  let isThought = role == ROLE_THOUGHT;
  if (isDrawn(role)) {
    let here = logProbAt(p, r);
    let weight = actionWeightAt(p, dense);
    let d = here - referenceLogProbAt(p, dense);
    var estimate = memberKl(p, d);
    kl = klOf(d, KL_ESTIMATOR_K3, KL_CLAMP_LOG_RATIO, false).value;
    own = estimate.value;
    let coefficient = hyperOf(p, select(HYPER_KL_COEFFICIENT, HYPER_KL_THOUGHT, isThought));
    if (weight != 0.0 && coefficient != 0.0) {
      if (hyperOf(p, HYPER_KL_RATIO_WEIGHTED) != 0.0) {
        estimate = ratioWeighted(p, estimate, here - oldLogProbAt(p, dense));
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
