// Records the drawn token and makes it the input of the next step.
// Step from `sample` to the next forward pass: a pick's row becomes its drawn token, its position grows by 1. Picks
// whose action has ended (stop token, one of `stops`, greatest length) keep row and position. left[i]: tokens that the
// action may still have. sampled[step·capacity + i] and sampledLogProb record the drawn token; 0xffffffff and 0 for
// picks that ended before. One thread per pick; floor: 64·picks bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write table, picks: vec4u; left, sampled: u32; sampledLogProb: f32
// #read token: u32; logProb: f32; stops (a bit a token): u32
// #params capacity, step, stopToken, context, hasStops: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  if (i >= rowCount(p)) { return; }
  let to = params.step * params.capacity + i;
  let own = p * params.leftStride + i;
  if (left[own] == 0u) {
    sampled[p * params.sampledStride + to] = 0xffffffffu;
    sampledLogProb[p * params.sampledLogProbStride + to] = 0.0;
    return;
  }
  let drawn = token[p * params.tokenStride + i];
  sampled[p * params.sampledStride + to] = drawn;
  sampledLogProb[p * params.sampledLogProbStride + to] = logProb[p * params.logProbStride + i];
  let pick = picks[p * params.picksStride + i];
  table[p * params.tableStride + i] = vec4u(drawn, pick.y, pick.z * params.context, pick.w);
  picks[p * params.picksStride + i] = vec4u(i, pick.y + 1u, pick.z, pick.w);
  var ends = drawn == params.stopToken;
  if (params.hasStops != 0u) { ends = ends || ((stops[drawn >> 5u] >> (drawn & 31u)) & 1u) == 1u; }
  left[own] = select(left[own] - 1u, 0u, ends);
}
