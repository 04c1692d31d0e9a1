// Turns queries and keys by their position.
// Rotary positions (arXiv 2104.09864): pairs (2i, 2i+1) of each query and key head turn by ±position·theta^(−2i/D).
// qkv [P,R,W], in place. One thread per two pairs, W the widths of queries, keys and values, of which the first two
// turn. Floor: 8 bytes and 6 flops an element. The frequencies come from TypeScript in full precision; sine and cosine
// are computed here (Cephes polynomials, ~1e-7), because WGSL promises only 2⁻¹¹ and nothing at all outside [−π, π].
// Angles are reduced by Cody–Waite; from position 512 on, where a float32 angle is off by 3e-5 and more if a compiler
// joins the steps, they are integers, 2⁻³² of a turn each, which no compiler rounds: 1.5e-6 rad at position 2,048.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "forward/turn.wgsl"

// #write qkv: vec4f
// #read table: vec4u
// #params width (W / 4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.turned;
  if (r >= rowCount(p)) { return; }
  let c = i % params.turned;
  let at = p * params.qkvStride + r * params.width + c;
  qkv[at] = turn(qkv[at], table[p * params.tableStride + r].y, c);
}
