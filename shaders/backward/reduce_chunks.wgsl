// Adds up a gradient’s parts, always in the same order.
// gradients[i] (=|+=) partials[chunk 0, i] + partials[chunk 1, i] + …, one after the other in chunk order.
// partials [P,chunks,N], gradients [P,N]; a thread takes 4 elements, 64 apart. Floor: 4·N·(chunks + 1) bytes.
// #include "lib/grid.wgsl"

struct Params {
  gridWidth: u32,
  gradientsStride: u32,
  partialsStride: u32,
  length: u32, // N
  chunks: u32,
  accumulate: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> gradients: array<f32>;
@group(0) @binding(2) var<storage, read> partials: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let first = lineOf(group) * 256u + lane;
  let end = min(first + 256u, params.length);
  for (var i = first; i < end; i += 64u) {
    let at = p * params.gradientsStride + i;
    var base = p * params.partialsStride + i;
    var sum = 0.0;
    if (params.accumulate != 0u) { sum = gradients[at]; }
    for (var chunk = 0u; chunk < params.chunks; chunk++) {
      sum += partials[base];
      base += params.length;
    }
    gradients[at] = sum;
  }
}
