// Loss of the critic’s values and its gradient.
// The critic's loss, dValue and the terms VALUE_LOSS and VALUE_CLIPPED: w·½·max((v − R)², (clip(v, v_old ± ε) − R)²),
// w = valueCoefficient·actionWeight, ε = valueClip (0: no clip). Exactly 0 where w is 0, even beside NaN. dValue, value
// [P,R], terms [P,R,TERM_COLUMNS], the others [P,B,T]. One thread per row. Floor: 44·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/ratio.wgsl"

// #write dValue, terms: f32
// #read value, oldValue, returns, actionWeight: f32; table: vec4u
// #params context (T): u32

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
