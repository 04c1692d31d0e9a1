// Adds to some columns of each row, or takes them, scaled: how a low-rank product joins its layer, and its gradient.
// Adding: out[r, at + n] += factor·x[r, n], x [P,R,n], out [P,R,N]. Taking: out[r, n] = factor·x[r, at + n], x [P,R,N],
// out [P,R,n]. One thread per four columns. Floor: 12·R·n bytes, 2·R·n flops.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write out: vec4f
// #read x: vec4f
// #params width (n / 4), whole (N / 4), first (at / 4): u32; factor: f32; takes: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.width;
  if (r >= rowCount(p)) { return; }
  let c = i % params.width;
  let inWhole = r * params.whole + params.first + c;
  if (params.takes != 0u) {
    out[p * params.outStride + i] = params.factor * x[p * params.xStride + inWhole];
  } else {
    out[p * params.outStride + inWhole] += params.factor * x[p * params.xStride + i];
  }
}
