// Lets one half of each row gate the other.
// out = g·σ(g)·u of x = (g, u) (SwiGLU, arXiv 2002.05202). x [P,R,2F], out [P,R,F]; one thread per four channels.
// Floor: 12·R·F bytes, 6·R·F flops.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write out: vec4f
// #read x: vec4f
// #params width (F / 4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let source = p * params.xStride + r * 2u * params.width + c;
  let gate = x[source];
  out[p * params.outStride + i] = gate / (1.0 + exp(-gate)) * x[source + params.width];
}
