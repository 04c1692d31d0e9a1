// sums[k] (=|+=) sequenceSums[0, k] + sequenceSums[1, k] + …, in order. sequenceSums [P,S,8], sums [P,8].
// One thread per column (eight to a workgroup). Floor: 32·S bytes.

struct Params {
  sumsStride: u32,
  sequenceSumsStride: u32,
  sequences: u32,
  accumulate: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(0) @binding(2) var<storage, read> sequenceSums: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let at = p * params.sumsStride + lane;
  var sum = 0.0;
  if (params.accumulate != 0u) { sum = sums[at]; }
  for (var s = 0u; s < params.sequences; s++) { sum += sequenceSums[p * params.sequenceSumsStride + s * 8u + lane]; }
  sums[at] = sum;
}
