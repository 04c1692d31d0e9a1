// Policy loss of each token and its gradient.
// dLogProb = ∂(Σ policyWeight·surrogate)/∂logProb and the terms POLICY_LOSS … KL_OLD and RATIO … DECODING_LOG_RATIO of
// each row, from its segment (policy_objective/ratio_segments.wgsl); src/tensor/objective/policy/tokens.ts is the same.
// dLogProb, logProb [P,R], terms [P,R,TERM_COLUMNS], segments [P,R,4], the others [P,B,T]. One thread per row. Floor:
// 100·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/token.wgsl"

// #write dLogProb, terms: f32
// #read logProb, oldLogProb, advantage, policyWeight: f32; segments: vec4f; table: vec4u
// #params context (T): u32

fn segmentAt(p: u32, r: u32) -> Segment {
  let numbers = segments[p * params.segmentsStride + r];
  return Segment(numbers.x, numbers.y, numbers.z, numbers.w);
}
fn logProbAt(p: u32, r: u32) -> f32 { return logProb[p * params.logProbStride + r]; }
fn oldLogProbAt(p: u32, dense: u32) -> f32 { return oldLogProb[p * params.oldLogProbStride + dense]; }
fn advantageAt(p: u32, dense: u32) -> f32 { return advantage[p * params.advantageStride + dense]; }
fn policyWeightAt(p: u32, dense: u32) -> f32 { return policyWeight[p * params.policyWeightStride + dense]; }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let r = lineOf(block) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let dense = sequenceOf(row.w) * params.context + row.y;
  dLogProb[p * params.dLogProbStride + r] = policyToken(p, r, targetRole(row), dense);
}
