// Estimates the return from each token on: the critic’s value.
// value[r] = hidden[r − 1]·weight + bias for target rows (position > 0), else 0: the critic's value of the state before
// token r. value [P,R], hidden [P,R,C], weight [C], bias [1]. One thread per row. Floor: 4·R·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"

// #write value: f32
// #read hidden, weight: f32; table: vec4u
// #params width (C), weightOffset, biasOffset: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
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
