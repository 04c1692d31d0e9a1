// Collects the rows from which the next tokens are drawn.
// out[i] = x[row_i]: the rows that picks (field 0) point at. x, out [P,R,C]; one thread per four channels.
// Floor: 8·picks·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write out: vec4f
// #read x: vec4f; table: vec4u
// #params width (C / 4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r].x;
  out[p * params.outStride + i] = x[p * params.xStride + row * params.width + i % params.width];
}
