// World-model loss of each token and its gradient.
// The world-model loss of each token, w = crossEntropyWeight: −w·logProb, −w·min(ratio, 1 + clip) or w·max(0,
// threshold − p), by the member's form; its derivative by logProb (= or +=), and the terms CROSS_ENTROPY_LOSS,
// ENTROPY, OBSERVATION_NLL, WARNING_NLL, MISMATCH. dLogProb, logProb, entropy [P,R], terms [P,R,20], the others
// dense [P,B,T]. One thread per row. Floor: 60·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "world_model/form.wgsl"

// #write dLogProb, terms: f32
// #read logProb, entropy, oldLogProb, behaviourLogProb, crossEntropyWeight: f32; table: vec4u
// #params context (T), accumulate: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let role = roleOf(row.w);
  var loss = vec2f(0.0);
  var mismatch = 0.0;
  var uncertainty = 0.0;
  var observationNll = 0.0;
  var warningNll = 0.0;
  if (row.y > 0u) {
    let dense = sequenceOf(row.w) * params.context + row.y;
    let here = logProb[p * params.logProbStride + r];
    if (isDrawn(role)) {
      mismatch = abs(here - behaviourLogProb[p * params.behaviourLogProbStride + dense]);
      uncertainty = entropy[p * params.entropyStride + r];
    }
    if (role == ROLE_OBSERVATION) { observationNll = -here; }
    if (role == ROLE_WARNING) { warningNll = -here; }
    let weight = crossEntropyWeight[p * params.crossEntropyWeightStride + dense];
    if (weight != 0.0) {
      loss = weight * formLoss(p, here, oldLogProb[p * params.oldLogProbStride + dense]);
    }
  }
  let at = p * params.dLogProbStride + r;
  if (params.accumulate == 0u) { dLogProb[at] = loss.y; } else if (loss.y != 0.0) { dLogProb[at] += loss.y; }
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_CROSS_ENTROPY_LOSS] = loss.x;
  terms[to + TERM_MISMATCH] = mismatch;
  terms[to + TERM_ENTROPY] = uncertainty;
  terms[to + TERM_OBSERVATION_NLL] = observationNll;
  terms[to + TERM_WARNING_NLL] = warningNll;
}
