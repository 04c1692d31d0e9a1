// Policy loss of one token: writes its terms and returns its derivative by log-prob. logProbAt … policyWeightAt are of
// the kernel that includes it.
// #include "policy_objective/surrogate.wgsl"

// Row r, whose token is a target of this role and has this place in its member's batch.
fn policyToken(p: u32, r: u32, role: u32, dense: u32) -> f32 {
  let drawn = isDrawn(role);
  let isCarrying = roleWeightOf(p, role) != 0.0;
  var byLogProb = 0.0;
  var loss = 0.0;
  var a = 0.0;
  var metrics: Surrogate; // 0 but on action tokens
  var logRatio = 0.0;
  var klOld = 0.0;
  var decoding = 0.0;
  if (drawn || isCarrying) {
    let segment = segmentAt(p, r);
    let here = logProbAt(p, r);
    let old = oldLogProbAt(p, dense);
    if (drawn) {
      logRatio = reportedLogRatio(p, here - old);
      klOld = klOfLogRatio(logRatio);
      decoding = segment.decoding;
    }
    if (isCarrying) {
      a = advantageAt(p, dense);
      let fromBehaviour = choiceOf(p, HYPER_RATIO_BASE) == RATIO_BASE_BEHAVIOUR;
      let base = old - select(0.0, segment.decoding, fromBehaviour);
      let surrogate = surrogateAt(p, segment.logRatio, here, base, a, segment.selection);
      let weight = policyWeightAt(p, dense);
      let shares = isShared(p);
      if (weight != 0.0 && segment.selection != 0.0) {
        loss = weight * surrogate.loss;
        byLogProb = weight * surrogate.byLogProb;
        if (!shares) { byLogProb += weight * surrogate.byRatio; }
      }
      // gmpo: a clipped token, and one with the advantage 0, is a constant in the segment's mean.
      let isHeld = choiceOf(p, HYPER_SURROGATE) == SURROGATE_GMPO && (surrogate.clipped != 0.0 || a == 0.0);
      if (shares && !isHeld) { byLogProb += segment.joint; }
      if (drawn) { metrics = surrogate; }
    }
  }
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_POLICY_LOSS] = loss;
  terms[to + TERM_CLIPPED] = metrics.clipped;
  terms[to + TERM_CLIPPED_LOW] = select(0.0, metrics.below, a < 0.0);
  terms[to + TERM_CLIPPED_HIGH] = select(0.0, metrics.above, a > 0.0);
  terms[to + TERM_CLIPPED_DUAL] = metrics.dual;
  terms[to + TERM_LOG_RATIO] = logRatio;
  terms[to + TERM_KL_OLD] = klOld;
  terms[to + TERM_RATIO] = metrics.ratio;
  terms[to + TERM_OUTSIDE] = max(metrics.below, metrics.above);
  terms[to + TERM_DECODING_LOG_RATIO] = decoding;
  return byLogProb;
}
