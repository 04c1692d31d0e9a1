// Shared part of both variants of `linear`: bindings, and the end, which adds the bias and stores or accumulates.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/activation.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  xStride: u32,
  countStride: u32,
  weightStride: u32,
  biasStride: u32,
  inner: u32, // K / 4
  width: u32, // N / 4
  weightOffset: u32,
  biasOffset: u32,
  hasBias: u32,
  activation: u32,
  accumulate: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read> x: array<vec4f>;
@group(0) @binding(4) var<storage, read> weight: array<vec4f>;
@group(0) @binding(5) var<storage, read> bias: array<vec4f>;

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.width) { return; }
  let at = p * params.outStride + row * params.width + column;
  var value = sum;
  if (params.hasBias != 0u) { value += bias[p * params.biasStride + params.biasOffset + column]; }
  if (params.accumulate != 0u) { value += out[at]; }
  out[at] = value;
}
