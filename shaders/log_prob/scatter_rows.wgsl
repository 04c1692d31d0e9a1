// Puts the numbers of rows back at their places in trajectories.
// dense[sequence_r·T + position_r] = x[r] for rows in use with position > 0; nothing else is written. x [P,R], dense
// [P,B,T]. One thread per row. Floor: 24·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"

struct Params {
  gridWidth: u32,
  denseStride: u32,
  xStride: u32,
  tableStride: u32,
  countStride: u32,
  context: u32, // T
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> dense: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  if (row.y == 0u) { return; }
  dense[p * params.denseStride + sequenceOf(row.w) * params.context + row.y] = x[p * params.xStride + r];
}
