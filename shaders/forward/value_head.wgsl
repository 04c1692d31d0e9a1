// Estimates the return from each token on: the critic’s value.
// value[r] = hidden[r − 1]·weight + bias for target rows (position > 0), else 0: the critic's value of the state before
// token r. value [P,R], hidden [P,R,C], weight [C], bias [1]. One thread per row. Floor: 4·R·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  valueStride: u32,
  hiddenStride: u32,
  weightStride: u32,
  tableStride: u32,
  countStride: u32,
  width: u32, // C
  weightOffset: u32,
  biasOffset: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> value: array<f32>;
@group(0) @binding(3) var<storage, read> hidden: array<f32>;
@group(0) @binding(4) var<storage, read> weight: array<f32>;
@group(0) @binding(5) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  var sum = 0.0;
  if (table[p * params.tableStride + r].y > 0u) {
    let w = p * params.weightStride;
    let x = p * params.hiddenStride + (r - 1u) * params.width;
    sum = weight[w + params.biasOffset];
    for (var c = 0u; c < params.width; c++) { sum += hidden[x + c] * weight[w + params.weightOffset + c]; }
  }
  value[p * params.valueStride + r] = sum;
}
