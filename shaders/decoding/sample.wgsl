// Draws the next token.
// One token per pick by inverse CDF of softmax(logits/temperature) over the pick's legal set: the first legal v, in
// vocabulary order, whose cumulative probability exceeds u (the last legal one if rounding leaves none).
// With exploration (topP, uniformShare) from what decoding/explore.wgsl says, and logProb is of that.
// u = Philox(key = (key[0], key[1]), counter = (seedIndex, key[2], trajectory, position)), first word.
// logits [P,capacity,V], token and logProb [P,capacity]. One thread per pick. Floor: 4·picks·V bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/legal.wgsl"
// #include "lib/philox.wgsl"
// #include "decoding/explore.wgsl"

// #write token: u32; logProb: f32
// #read logits: f32; table: vec4u; legalSets, key, seedIndex: u32
// #params vocabulary: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  if (i >= rowCount(p)) { return; }
  let pick = table[p * params.tableStride + i];
  let legalSet = legalSetOf(pick.w);
  let base = p * params.logitsStride + i * params.vocabulary;
  let temperature = hyperOf(p, HYPER_TEMPERATURE);
  var highest = -1e30;
  for (var v = 0u; v < params.vocabulary; v++) {
    if (((legalWord(legalSet, v / 32u) >> (v % 32u)) & 1u) != 0u) { highest = max(highest, logits[base + v]); }
  }
  var sum = 0.0;
  for (var v = 0u; v < params.vocabulary; v++) {
    if (((legalWord(legalSet, v / 32u) >> (v % 32u)) & 1u) != 0u) {
      sum += exp((logits[base + v] - highest) / temperature);
    }
  }
  let counter = vec4u(seedIndex[p * params.seedIndexStride], key[2], pick.z, pick.y);
  let u = toUnitFloat(philox4x32(counter, vec2u(key[0], key[1])).x);
  if (explores(p)) {
    let explored = explore(p, legalSet, base, highest, sum, u);
    token[p * params.tokenStride + i] = explored.token;
    logProb[p * params.logProbStride + i] = explored.logProb;
    return;
  }
  let threshold = u * sum;
  var drawn = 0u;
  var cumulative = 0.0;
  for (var v = 0u; v < params.vocabulary; v++) {
    if (((legalWord(legalSet, v / 32u) >> (v % 32u)) & 1u) != 0u) {
      drawn = v;
      cumulative += exp((logits[base + v] - highest) / temperature);
      if (cumulative > threshold) { break; }
    }
  }
  token[p * params.tokenStride + i] = drawn;
  logProb[p * params.logProbStride + i] = (logits[base + drawn] - highest) / temperature - log(sum);
}
