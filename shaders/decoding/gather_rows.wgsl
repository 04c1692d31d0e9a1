// Collects the rows from which the next tokens are drawn.
// out[i] = x[row_i]: the rows that picks (field 0) point at. x, out [P,R,C]; one thread per four channels.
// Floor: 8·picks·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  xStride: u32,
  tableStride: u32,
  countStride: u32,
  width: u32, // C / 4
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read> x: array<vec4f>;
@group(0) @binding(4) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r].x;
  out[p * params.outStride + i] = x[p * params.xStride + row * params.width + i % params.width];
}
