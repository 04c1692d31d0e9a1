// Gradient of an embedding that is the head too, added to the head's own.
// Per chunk of 16 trajectories: dHead[:, v] += Σ dx over the chunk's rows with token v. dx [P,R,C], partials
// [P,chunks,N], head [C,V]. One thread per chunk and channel, rows in order. Floor: 12·R·C bytes, R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"

// #write partials: f32
// #read dx: f32; table: vec4u; start: u32
// #params chunkStride (N), chunks, sequences, width (C), vocabulary (V), headOffset: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let c = i % params.width;
  let chunk = i / params.width;
  if (chunk >= params.chunks) { return; }
  let first = chunk * GRADIENT_CHUNK;
  let end = start[p * params.startStride + min(first + GRADIENT_CHUNK, params.sequences)];
  let to = p * params.partialsStride + chunk * params.chunkStride + params.headOffset + c * params.vocabulary;
  for (var r = start[p * params.startStride + first]; r < end; r++) {
    partials[to + table[p * params.tableStride + r].x] += dx[p * params.dxStride + r * params.width + c];
  }
}
