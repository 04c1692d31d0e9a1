// Loss of the critic’s values and its gradient.
// The critic's loss, dValue and terms 14, 15: w·½·max((v − R)², (clip(v, v_old ± ε) − R)²), w =
// valueCoefficient·actionWeight, ε = valueClip (0: no clip). Exactly 0 where w is 0, even beside NaN. dValue, value
// [P,R], terms [P,R,20], the others [P,B,T]. One thread per row. Floor: 44·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/ratio.wgsl"

struct Params {
  gridWidth: u32,
  dValueStride: u32,
  termsStride: u32,
  valueStride: u32,
  oldValueStride: u32,
  returnsStride: u32,
  actionWeightStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
  context: u32, // T
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> dValue: array<f32>;
@group(0) @binding(4) var<storage, read_write> terms: array<f32>;
@group(0) @binding(5) var<storage, read> value: array<f32>;
@group(0) @binding(6) var<storage, read> oldValue: array<f32>;
@group(0) @binding(7) var<storage, read> returns: array<f32>;
@group(0) @binding(8) var<storage, read> actionWeight: array<f32>;
@group(0) @binding(9) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let r = lineOf(block) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  var byValue = 0.0;
  var loss = 0.0;
  var isClipped = false;
  let dense = sequenceOf(row.w) * params.context + row.y;
  if (row.y > 0u) {
    let weight = hyperOf(p, HYPER_VALUE_COEFFICIENT) * actionWeight[p * params.actionWeightStride + dense];
    if (weight != 0.0) {
      let v = value[p * params.valueStride + r];
      let old = oldValue[p * params.oldValueStride + dense];
      let epsilon = hyperOf(p, HYPER_VALUE_CLIP);
      let aim = returns[p * params.returnsStride + dense];
      let plain = v - aim;
      let bounded = select(v, clamp(v, old - epsilon, old + epsilon), epsilon > 0.0) - aim;
      isClipped = bounded * bounded > plain * plain;
      loss = 0.5 * weight * max(plain * plain, bounded * bounded);
      byValue = weight * select(plain, 0.0, isClipped);
    }
  }
  dValue[p * params.dValueStride + r] = byValue;
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_VALUE_LOSS] = loss;
  terms[to + TERM_VALUE_CLIPPED] = select(0.0, 1.0, isClipped);
}
