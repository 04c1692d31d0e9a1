// Numbers of each token's segment (the token, its turn or its trajectory): segments[r] = (log-ratio of the segment, old
// − behaviour log-prob, gradient that a differentiated ratio adds to each token, selection);
// src/tensor/objective/policy/segments.ts is the same. segments [P,R,4], logProb [P,R], the others [P,B,T]. Token
// ratios: one thread per row; else the thread of a trajectory's first row reads each segment three times. Floor: 56·R
// bytes.
// #include "policy_objective/segment.wgsl"

// #write segments: vec4f
// #read table: vec4u; logProb, oldLogProb, behaviourLogProb, advantage, policyWeight, selection: f32
// #params context (T): u32

fn put(p: u32, r: u32, segment: Segment) { segments[p * params.segmentsStride + r] = numbersOf(segment); }

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  segmentsFrom(block.z, lineOf(block) * 64u + lane);
}
