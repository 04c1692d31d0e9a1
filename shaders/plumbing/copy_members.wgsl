// Copies the numbers of chosen policies.
// out[p] = source[p] where activeFlag[p] ≠ 0, bit for bit; both [P,N]. One thread an element.
// Floor: 8·N bytes a member.
// #include "lib/grid.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  sourceStride: u32,
  activeFlagStride: u32,
  length: u32, // N
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read> activeFlag: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  if (i >= params.length || activeFlag[p * params.activeFlagStride] == 0u) { return; }
  out[p * params.outStride + i] = source[p * params.sourceStride + i];
}
