// Puts the numbers of rows back at their places in trajectories.
// dense[sequence_r·T + position_r] = x[r] for rows in use with position > 0; nothing else is written. x [P,R], dense
// [P,B,T]. One thread per row. Floor: 24·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"

// #write dense: f32
// #read x: f32; table: vec4u
// #params context (T): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  if (row.y == 0u) { return; }
  dense[p * params.denseStride + sequenceOf(row.w) * params.context + row.y] = x[p * params.xStride + r];
}
