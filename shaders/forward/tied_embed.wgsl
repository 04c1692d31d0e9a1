// Turns tokens into vectors, of a head that is the embedding too.
// out[r] = head[:, token_r]. out [P,R,C], head [C,V]; one thread per channel of a row.
// Sizes: a type's. Floor: 8·R·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/weights.wgsl"

// #write out: f32
// #read table: vec4u; head: Weights
// #params width (C), quads (V / 4), headOffset: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let token = table[p * params.tableStride + r].x;
  let four = wide(head[p * params.headStride + params.headOffset + c * params.quads + token / 4u]);
  out[p * params.outStride + i] = four[token % 4u];
}
