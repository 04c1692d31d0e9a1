// Loss of each token and its gradient, all parts of it, on GPUs.
// policy_objective/loss.wgsl, world_model/regularise.wgsl with regularise_entropy.wgsl, and
// world_model/cross_entropy.wgsl in one dispatch, to the same bits, after policy_objective/segments_tiled.wgsl, whose
// numbers lie in the terms. Shapes as there. One thread per row. Floor: 60·R bytes read, 104·R written.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/carried.wgsl"
// #include "policy_objective/token.wgsl"
// #include "world_model/regularised.wgsl"
// #include "world_model/predicted.wgsl"

// #write dLogProb, dEntropy, terms: f32; segments: vec4f
// #read entropy, referenceLogProb, actionWeight, crossEntropyWeight: f32

// Numbers that the row's terms held.
struct Carried {
  segment: Segment,
  logProb: f32,
  oldLogProb: f32,
  behaviourLogProb: f32,
  advantage: f32,
  policyWeight: f32,
}
var<private> carried: Carried;

fn segmentAt(p: u32, r: u32) -> Segment { return carried.segment; }
fn logProbAt(p: u32, r: u32) -> f32 { return carried.logProb; }
fn entropyAt(p: u32, r: u32) -> f32 { return entropy[p * params.entropyStride + r]; }
fn oldLogProbAt(p: u32, dense: u32) -> f32 { return carried.oldLogProb; }
fn behaviourLogProbAt(p: u32, dense: u32) -> f32 { return carried.behaviourLogProb; }
fn advantageAt(p: u32, dense: u32) -> f32 { return carried.advantage; }
fn policyWeightAt(p: u32, dense: u32) -> f32 { return carried.policyWeight; }
fn referenceLogProbAt(p: u32, dense: u32) -> f32 { return referenceLogProb[p * params.referenceLogProbStride + dense]; }
fn actionWeightAt(p: u32, dense: u32) -> f32 { return actionWeight[p * params.actionWeightStride + dense]; }
fn crossEntropyWeightAt(p: u32, dense: u32) -> f32 {
  return crossEntropyWeight[p * params.crossEntropyWeightStride + dense];
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let at = p * params.termsStride + r * TERM_COLUMNS;
  carried = Carried(
    Segment(
      terms[at + CARRIED_LOG_RATIO],
      terms[at + CARRIED_DECODING],
      terms[at + CARRIED_JOINT],
      terms[at + CARRIED_SELECTION],
    ),
    terms[at + CARRIED_LOG_PROB],
    terms[at + CARRIED_OLD_LOG_PROB],
    terms[at + CARRIED_BEHAVIOUR_LOG_PROB],
    terms[at + CARRIED_ADVANTAGE],
    terms[at + CARRIED_POLICY_WEIGHT],
  );
  let role = u32(terms[at + CARRIED_ROLE]);
  let isPredicted = terms[at + CARRIED_PLACE] >= 0.0;
  let dense = u32(max(terms[at + CARRIED_PLACE], 0.0));
  segments[p * params.segmentsStride + r] = numbersOf(carried.segment);
  dLogProb[p * params.dLogProbStride + r] = policyToken(p, r, role, dense);
  regularise(p, r, role, dense);
  let byEntropy = dEntropy[p * params.dEntropyStride + r];
  if (byEntropy != 0.0) { terms[at + TERM_REGULARISER_LOSS] += byEntropy * entropyAt(p, r); }
  predict(p, r, role, dense, isPredicted, true);
}
