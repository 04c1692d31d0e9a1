// Gradient of an embedding that is the head too, added to the head's own.
// Per chunk of 16 trajectories: dHead[:, v] += Σ dx over the chunk's rows with token v. dx [P,R,C], partials
// [P,chunks,N], head [C,V]. One thread per chunk and channel, rows in order. Floor: 12·R·C bytes, R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/layout.wgsl"

struct Params {
  gridWidth: u32,
  partialsStride: u32,
  dxStride: u32,
  tableStride: u32,
  startStride: u32,
  chunkStride: u32, // N
  chunks: u32,
  sequences: u32,
  width: u32, // C
  vocabulary: u32, // V
  headOffset: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> partials: array<f32>;
@group(0) @binding(2) var<storage, read> dx: array<f32>;
@group(0) @binding(3) var<storage, read> table: array<vec4u>;
@group(0) @binding(4) var<storage, read> start: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
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
