// Bindings and parameters that both variants of backward/linear_input.wgsl share.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/activation.wgsl"

struct Params {
  gridWidth: u32,
  dxStride: u32,
  dOutStride: u32,
  xStride: u32,
  countStride: u32,
  weightStride: u32,
  inner: u32, // K / 4
  width: u32, // N / 4
  weightOffset: u32,
  activation: u32,
  accumulate: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> dx: array<vec4f>;
@group(0) @binding(3) var<storage, read> dOut: array<vec4f>;
@group(0) @binding(4) var<storage, read> x: array<vec4f>;
@group(0) @binding(5) var<storage, read> weight: array<vec4f>;
