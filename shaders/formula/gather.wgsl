// Collects one input of a formula you write.
// One column of a formula's tokens from a tensor [P,B,T]: its own tokens' numbers, or only those of action tokens; 0
// where nothing is taken, which may hold anything. packed: see tables.wgsl. One thread per token. Floor: 12·B·T bytes.
// #include "lib/grid.wgsl"
// #include "lib/layout.wgsl"
// #include "formula/tables.wgsl"

struct Params {
  gridWidth: u32,
  packedStride: u32,
  xStride: u32,
  rolesStride: u32,
  tokens: u32, // B·T
  columns: u32,
  column: u32,
  onlyActions: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> packed: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read> roles: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let token = lineOf(block) * 64u + lane;
  if (token >= params.tokens) { return; }
  let at = tokenAt(p, token);
  let drawn = isDrawn(roles[p * params.rolesStride + token]);
  let isTaken = packed[at + TOKEN_OWN] != 0.0 && (drawn || params.onlyActions == 0u);
  packed[at + params.column] = select(0.0, x[p * params.xStride + token], isTaken);
}
