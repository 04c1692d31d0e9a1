// Bindings and parameters that the kernels of attention’s gradient share.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  dqkvStride: u32,
  dOutStride: u32,
  outStride: u32,
  logSumExpStride: u32,
  qkvStride: u32,
  tableStride: u32,
  countStride: u32,
  heads: u32,
  group: u32, // heads that share a head of keys
  width: u32, // W / 4
  scale: f32,
  queryGroups: u32, // workgroups by queries, before those by keys, in backward/attention_tiled.wgsl
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> dqkv: array<vec4f>;
@group(0) @binding(3) var<storage, read> dOut: array<vec4f>;
@group(0) @binding(4) var<storage, read> out: array<vec4f>;
@group(0) @binding(5) var<storage, read> logSumExp: array<f32>;
@group(0) @binding(6) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(7) var<storage, read> table: array<vec4u>;
