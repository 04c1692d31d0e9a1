// Turns tokens and positions into vectors.
// out[r] = tokens[token_r] + positions[position_r] (positions optional).
// out [P,R,C], tokens [V,C], positions [T,C]; one thread per four channels of a row. Floor: 12·R·C bytes, R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  tableStride: u32,
  countStride: u32,
  tokensStride: u32,
  positionsStride: u32,
  width: u32, // C / 4
  tokensOffset: u32,
  positionsOffset: u32,
  hasPositions: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read> table: array<vec4u>;
@group(0) @binding(4) var<storage, read> tokens: array<vec4f>;
@group(0) @binding(5) var<storage, read> positions: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let row = table[p * params.tableStride + r];
  var value = tokens[p * params.tokensStride + params.tokensOffset + row.x * params.width + c];
  if (params.hasPositions != 0u) {
    value += positions[p * params.positionsStride + params.positionsOffset + row.y * params.width + c];
  }
  out[p * params.outStride + i] = value;
}
