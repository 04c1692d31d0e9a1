// Ratio of the new policy to the old, and all else that a token's policy loss needs, on GPUs.
// policy_objective/ratio_segments.wgsl, which leaves its numbers in the terms of each row, with those of the row that
// the loss reads, for policy_objective/objective_tiled.wgsl: that one has no bindings left for them.
// Floor: 40·R bytes read, 44·R written.
// #include "policy_objective/segment.wgsl"
// #include "policy_objective/carried.wgsl"

// #write terms: f32
// #read table: vec4u; logProb, oldLogProb, behaviourLogProb, advantage, policyWeight, selection: f32
// #params context (T): u32

fn put(p: u32, r: u32, segment: Segment) {
  let row = table[p * params.tableStride + r];
  let dense = sequenceOf(row.w) * params.context + row.y;
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + CARRIED_LOG_RATIO] = segment.logRatio;
  terms[to + CARRIED_DECODING] = segment.decoding;
  terms[to + CARRIED_JOINT] = segment.joint;
  terms[to + CARRIED_SELECTION] = segment.selection;
  terms[to + CARRIED_LOG_PROB] = logProb[p * params.logProbStride + r];
  terms[to + CARRIED_OLD_LOG_PROB] = oldLogProb[p * params.oldLogProbStride + dense];
  terms[to + CARRIED_BEHAVIOUR_LOG_PROB] = behaviourLogProb[p * params.behaviourLogProbStride + dense];
  terms[to + CARRIED_ADVANTAGE] = advantageAt(p, dense);
  terms[to + CARRIED_POLICY_WEIGHT] = policyWeight[p * params.policyWeightStride + dense];
  // Whole numbers below 2²⁴, exact as float32.
  terms[to + CARRIED_ROLE] = f32(targetRole(row));
  terms[to + CARRIED_PLACE] = select(f32(dense), -1.0, row.y == 0u);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  segmentsFrom(block.z, lineOf(block) * 64u + lane);
}
