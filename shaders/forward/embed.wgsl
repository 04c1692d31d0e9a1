// Turns tokens and positions into vectors.
// out[r] = tokens[token_r] + positions[position_r] (positions optional).
// out [P,R,C], tokens [V,C], positions [T,C]; one thread per four channels of a row.
// Sizes: a type's. Floor: 12·R·C bytes, R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/weights.wgsl"

// #write out: vec4f
// #read table: vec4u; tokens: Weights; positions: vec4f
// #params width (C / 4), tokensOffset, positionsOffset, hasPositions: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let row = table[p * params.tableStride + r];
  var value = wide(tokens[p * params.tokensStride + params.tokensOffset + row.x * params.width + c]);
  if (params.hasPositions != 0u) {
    value += positions[p * params.positionsStride + params.positionsOffset + row.y * params.width + c];
  }
  out[p * params.outStride + i] = value;
}
