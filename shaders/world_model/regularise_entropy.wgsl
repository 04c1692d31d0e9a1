// Adds the entropy bonus to the sums that are reported.
// Entropy bonus in the terms: REGULARISER_LOSS += dEntropy·entropy, after world_model/regularise.wgsl. dEntropy,
// entropy [P,R], terms [P,R,TERM_COLUMNS]. One thread per row. Floor: 16·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"

// #write terms: f32
// #read dEntropy, entropy: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let slope = dEntropy[p * params.dEntropyStride + r];
  if (slope == 0.0) { return; }
  let to = p * params.termsStride + r * TERM_COLUMNS + TERM_REGULARISER_LOSS;
  terms[to] += slope * entropy[p * params.entropyStride + r];
}
