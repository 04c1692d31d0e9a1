// Adds to some columns of each row, or takes them, scaled: how a low-rank product joins its layer, and its gradient.
// Adding: out[r, at + n] += factor·x[r, n], x [P,R,n], out [P,R,N]. Taking: out[r, n] = factor·x[r, at + n], x [P,R,N],
// out [P,R,n]. One thread per four columns. Floor: 12·R·n bytes, 2·R·n flops.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  xStride: u32,
  countStride: u32,
  width: u32, // n / 4
  whole: u32, // N / 4
  first: u32, // at / 4
  factor: f32,
  takes: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read> x: array<vec4f>;

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
