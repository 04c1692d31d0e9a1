// Bindings and parameters that both variants of forward/linear.wgsl share.
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
  residualStride: u32,
  inner: u32, // K / 4
  width: u32, // N / 4
  weightOffset: u32,
  biasOffset: u32,
  hasBias: u32,
  activation: u32,
  hasResidual: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read> x: array<vec4f>;
@group(0) @binding(4) var<storage, read> weight: array<vec4f>;
@group(0) @binding(5) var<storage, read> bias: array<vec4f>;
@group(0) @binding(6) var<storage, read> residual: array<vec4f>;
