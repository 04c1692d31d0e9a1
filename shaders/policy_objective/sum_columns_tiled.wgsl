// Adds up the columns of all tokens, always in the same order, on GPUs.
// policy_objective/sum_columns.wgsl in one dispatch, to the same bits: one workgroup of 64 threads per column. Each
// thread takes every 64th sequence; then the first adds up the sequences in order. Floor: 4·K·R bytes.
// #include "lib/grid.wgsl"

// #write sums, sequenceSums: f32
// #read terms: f32; start: u32
// #params sequences, columns (K), accumulate: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let k = lineOf(group);
  let own = p * params.sequenceSumsStride + k;
  // A grid that was folded has workgroups without a column; they take part in the barrier.
  if (k < params.columns) {
    for (var s = lane; s < params.sequences; s += 64u) {
      let end = start[p * params.startStride + s + 1u];
      var sum = 0.0;
      for (var r = start[p * params.startStride + s]; r < end; r++) {
        sum += terms[p * params.termsStride + r * params.columns + k];
      }
      sequenceSums[own + s * params.columns] = sum;
    }
  }
  storageBarrier();
  if (lane > 0u || k >= params.columns) { return; }
  var sum = 0.0;
  if (params.accumulate != 0u) { sum = sums[p * params.sumsStride + k]; }
  for (var s = 0u; s < params.sequences; s++) { sum += sequenceSums[own + s * params.columns]; }
  sums[p * params.sumsStride + k] = sum;
}
