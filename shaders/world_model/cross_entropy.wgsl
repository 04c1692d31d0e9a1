// World-model loss of each token and its gradient.
// The world-model loss of each token, w = crossEntropyWeight: −w·logProb, −w·min(ratio, 1 + clip) or w·max(0,
// threshold − p), by the member's form; its derivative by logProb (= or +=), and the terms CROSS_ENTROPY_LOSS,
// ENTROPY, OBSERVATION_NLL, WARNING_NLL, MISMATCH. dLogProb, logProb, entropy [P,R], terms [P,R,TERM_COLUMNS],
// the others dense [P,B,T]. One thread per row. Floor: 60·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "world_model/predicted.wgsl"

// #write dLogProb, terms: f32
// #read logProb, entropy, oldLogProb, behaviourLogProb, crossEntropyWeight: f32; table: vec4u
// #params context (T), accumulate: u32

fn logProbAt(p: u32, r: u32) -> f32 { return logProb[p * params.logProbStride + r]; }
fn entropyAt(p: u32, r: u32) -> f32 { return entropy[p * params.entropyStride + r]; }
fn oldLogProbAt(p: u32, dense: u32) -> f32 { return oldLogProb[p * params.oldLogProbStride + dense]; }
fn behaviourLogProbAt(p: u32, dense: u32) -> f32 { return behaviourLogProb[p * params.behaviourLogProbStride + dense]; }
fn crossEntropyWeightAt(p: u32, dense: u32) -> f32 {
  return crossEntropyWeight[p * params.crossEntropyWeightStride + dense];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let dense = sequenceOf(row.w) * params.context + row.y;
  predict(p, r, roleOf(row.w), dense, row.y > 0u, params.accumulate != 0u);
}
