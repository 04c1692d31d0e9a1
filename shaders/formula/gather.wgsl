// Collects one input of a formula you write.
// One column of a formula's tokens from a tensor [P,B,T]: its own tokens' numbers, or only those of action tokens; 0
// where nothing is taken, which may hold anything. packed: see tables.wgsl. One thread per token. Floor: 12·B·T bytes.
// #include "lib/grid.wgsl"
// #include "lib/layout.wgsl"
// #include "formula/tables.wgsl"

// #write packed: f32
// #read x: f32; roles: u32
// #params tokens (B·T), columns, column, onlyActions: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let token = lineOf(block) * 64u + lane;
  if (token >= params.tokens) { return; }
  let at = tokenAt(p, token);
  let drawn = isDrawn(roles[p * params.rolesStride + token]);
  let isTaken = packed[at + PACKED_TOKEN_OWN] != 0.0 && (drawn || params.onlyActions == 0u);
  packed[at + params.column] = select(0.0, x[p * params.xStride + token], isTaken);
}
