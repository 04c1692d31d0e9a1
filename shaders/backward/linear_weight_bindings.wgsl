// Bindings and parameters that both variants of backward/linear_weight.wgsl share.
// #include "lib/grid.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/activation.wgsl"

struct Params {
  gridWidth: u32,
  partialsStride: u32,
  xStride: u32,
  dOutStride: u32,
  startStride: u32,
  chunkStride: u32, // parameters of a member / 4
  chunks: u32,
  sequences: u32,
  inner: u32, // K / 4
  width: u32, // N / 4
  weightOffset: u32,
  biasOffset: u32,
  hasBias: u32,
  activation: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> partials: array<vec4f>;
@group(0) @binding(2) var<storage, read> x: array<vec4f>;
@group(0) @binding(3) var<storage, read> dOut: array<vec4f>;
@group(0) @binding(4) var<storage, read> start: array<u32>;

// First row of the chunk and the row after its last.
fn chunkRows(p: u32, chunk: u32) -> vec2u {
  let first = chunk * GRADIENT_CHUNK;
  let base = p * params.startStride;
  return vec2u(start[base + first], start[base + min(first + GRADIENT_CHUNK, params.sequences)]);
}
