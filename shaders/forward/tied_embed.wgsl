// Turns tokens into vectors, of a head that is the embedding too.
// out[r] = head[:, token_r]. out [P,R,C], head [C,V]; one thread per channel of a row. Floor: 8·R·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  tableStride: u32,
  countStride: u32,
  headStride: u32,
  width: u32, // C
  vocabulary: u32, // V
  headOffset: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<storage, read> table: array<vec4u>;
@group(0) @binding(4) var<storage, read> head: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let token = table[p * params.tableStride + r].x;
  out[p * params.outStride + i] = head[p * params.headStride + params.headOffset + c * params.vocabulary + token];
}
