// sequenceSums[s, k] = Σ terms[r, k] over the rows of sequence s, in order. terms [P,R,8], sequenceSums [P,S,8].
// One thread per (sequence, column). Floor: 32·R bytes. The sum over sequences: sum_terms.wgsl.
// #include "grid.wgsl"

struct Params {
  gridWidth: u32,
  sequenceSumsStride: u32,
  termsStride: u32,
  startStride: u32,
  sequences: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> sequenceSums: array<f32>;
@group(0) @binding(2) var<storage, read> terms: array<f32>;
@group(0) @binding(3) var<storage, read> start: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let s = i / 8u;
  if (s >= params.sequences) { return; }
  let end = start[p * params.startStride + s + 1u];
  var sum = 0.0;
  let column = p * params.termsStride + i % 8u;
  for (var r = start[p * params.startStride + s]; r < end; r++) { sum += terms[column + r * 8u]; }
  sequenceSums[p * params.sequenceSumsStride + i] = sum;
}
