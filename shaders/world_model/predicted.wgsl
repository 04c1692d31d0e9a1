// World-model loss of one token: writes its derivative by log-prob, or adds to it, and its terms. The kernel that
// includes this file has logProbAt … crossEntropyWeightAt.
// #include "world_model/form.wgsl"

// Loss and terms of row r: role of its token, place `dense` in the batch; not predicted if the token is its
// trajectory's first.
fn predict(p: u32, r: u32, role: u32, dense: u32, isPredicted: bool, accumulates: bool) {
  var loss = vec2f(0.0);
  var mismatch = 0.0;
  var uncertainty = 0.0;
  var observationNll = 0.0;
  var warningNll = 0.0;
  if (isPredicted) {
    let here = logProbAt(p, r);
    if (isDrawn(role)) {
      mismatch = abs(here - behaviourLogProbAt(p, dense));
      uncertainty = entropyAt(p, r);
    }
    if (role == ROLE_OBSERVATION) { observationNll = -here; }
    if (role == ROLE_WARNING) { warningNll = -here; }
    let weight = crossEntropyWeightAt(p, dense);
    if (weight != 0.0) {
      loss = weight * formLoss(p, here, oldLogProbAt(p, dense));
    }
  }
  let at = p * params.dLogProbStride + r;
  if (!accumulates) { dLogProb[at] = loss.y; } else if (loss.y != 0.0) { dLogProb[at] += loss.y; }
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_CROSS_ENTROPY_LOSS] = loss.x;
  terms[to + TERM_MISMATCH] = mismatch;
  terms[to + TERM_ENTROPY] = uncertainty;
  terms[to + TERM_OBSERVATION_NLL] = observationNll;
  terms[to + TERM_WARNING_NLL] = warningNll;
}
