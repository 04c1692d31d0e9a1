// Distance of the policy's whole distribution from a teacher's, and its gradient.
// Rows r − 1 of logits and teacher predict target r: π and q = softmax(x/temperature) over the legal set of a drawn
// target, over all tokens elsewhere; logs are cut off at −200. distance_r = D: reverse Σ π(log π − log q), forward
// Σ q(log q − log π), jensen-shannon ½Σ π(log π − log m) + ½Σ q(log q − log m) with m = (π + q)/2. logits, in place:
// weight_r·(d_v − π_v·Σ d)/temperature, d = π(log π − log q), −q, ½π(log π − log m). 0 where the weight is 0. logits,
// teacher [P,R,S] of which the first V ≤ S count, distance [P,R], weight dense [P,B,T]. One thread per row of logits,
// four readings of it, no barriers. Floor: 12·R·V bytes, 2·R·V exponentials (done: 10·R·V).
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"

// #write logits, distance: f32
// #read teacher, weight: f32; table: vec4u; legalSets: u32
// #params vocabulary, rowLength (S), context (T), divergence, firstRow (of this dispatch), endRow: u32

fn isLegal(drawn: bool, legalSet: u32, v: u32) -> bool {
  return !drawn || ((legalSets[legalSet * ((params.vocabulary + 31u) / 32u) + v / 32u] >> (v % 32u)) & 1u) != 0u;
}

// D of one token, and d.
fn apart(student: f32, taught: f32) -> vec2f {
  let p = exp(student);
  let q = exp(taught);
  if (params.divergence == DIVERGENCE_REVERSE) { return vec2f(p * (student - taught)); }
  if (params.divergence == DIVERGENCE_FORWARD) { return vec2f(q * (taught - student), -q); }
  let mean = max(log(max(0.5 * (p + q), 1e-37)), BOUND_LOG_PROB);
  let own = 0.5 * p * (student - mean);
  return vec2f(own + 0.5 * q * (taught - mean), own);
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let predictor = params.firstRow + lineOf(group) * 64u + lane;
  let rows = rowCount(p);
  if (predictor >= min(rows, params.endRow)) { return; }
  let base = p * params.logitsStride + predictor * params.rowLength;
  let r = predictor + 1u;
  if (predictor == 0u) { distance[p * params.distanceStride] = 0.0; }
  var row = vec4u();
  var w = 0.0;
  if (r < rows) {
    row = table[p * params.tableStride + r];
    if (row.y > 0u) { w = weight[p * params.weightStride + sequenceOf(row.w) * params.context + row.y]; }
    distance[p * params.distanceStride + r] = 0.0;
  }
  if (w == 0.0) {
    for (var v = 0u; v < params.rowLength; v++) { logits[base + v] = 0.0; }
    return;
  }
  let drawn = isDrawn(roleOf(row.w));
  let legalSet = legalSetOf(row.w);
  let inverse = 1.0 / select(1.0, hyperOf(p, HYPER_TEMPERATURE), drawn);
  let other = p * params.teacherStride + predictor * params.rowLength;
  var most = vec2f(-1e30);
  for (var v = 0u; v < params.vocabulary; v++) {
    if (isLegal(drawn, legalSet, v)) { most = max(most, vec2f(logits[base + v], teacher[other + v])); }
  }
  var sums = vec2f();
  for (var v = 0u; v < params.vocabulary; v++) {
    if (isLegal(drawn, legalSet, v)) {
      sums += exp((vec2f(logits[base + v], teacher[other + v]) - most) * inverse);
    }
  }
  let logSum = log(sums);
  var total = vec2f();
  for (var v = 0u; v < params.vocabulary; v++) {
    if (!isLegal(drawn, legalSet, v)) { continue; }
    let logs = max((vec2f(logits[base + v], teacher[other + v]) - most) * inverse - logSum, vec2f(BOUND_LOG_PROB));
    total += apart(logs.x, logs.y);
  }
  distance[p * params.distanceStride + r] = total.x;
  for (var v = 0u; v < params.vocabulary; v++) {
    var gradient = 0.0;
    if (isLegal(drawn, legalSet, v)) {
      let logs = max((vec2f(logits[base + v], teacher[other + v]) - most) * inverse - logSum, vec2f(BOUND_LOG_PROB));
      gradient = w * inverse * (apart(logs.x, logs.y).y - exp(logs.x) * total.y);
    }
    logits[base + v] = gradient;
  }
  for (var v = params.vocabulary; v < params.rowLength; v++) { logits[base + v] = 0.0; }
}
