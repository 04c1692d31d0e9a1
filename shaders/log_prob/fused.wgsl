// Log-probability of each target token, without storing any logits.
// Log-prob as in log_prob/masked.wgsl, of logits = hidden·head, which are never stored: hidden [P,R,C], head [C,V],
// logProb, entropy [P,R], logSumExp [P,R,2]. One workgroup of 64 threads per eight target rows: thread t takes quads t,
// t + 64 … of the vocabulary in an online softmax for each row; the 64 parts are rescaled to the common maximum and
// added in order. Eight rows without a needed one cost nothing. Floor: 2·R·C·V flops, 4·C·V·R/8 bytes of the head.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/needed.wgsl"
// #include "log_prob/fused_logits.wgsl"

// #write logProb, entropy, logSumExp: f32
// #read hidden: vec4f; weight: Weights; table: vec4u; legalSets: u32
// #params weightOffset (quads), width (C/4), quads (V/4), vocabulary, firstRow: u32
// #params impossible (−∞, for which WGSL has no literal): f32

var<workgroup> largests: array<f32, 512>;
var<workgroup> parts: array<vec2f, 512>;
var<workgroup> largest: array<f32, 8>;
var<workgroup> chosen: array<f32, 8>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let first = params.firstRow + lineOf(group) * 8u;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let inUse = min(rows - first, 8u);
  var targetRow: array<vec4u, 8>;
  var needed: array<bool, 8>;
  var anything = false;
  for (var i = 0u; i < inUse; i++) {
    let row = table[p * params.tableStride + first + i];
    let isOne = row.y > 0u && isNeeded(p, roleOf(row.w));
    targetRow[i] = row;
    needed[i] = isOne;
    anything = anything || isOne;
    hiddenAt[i] = p * params.hiddenStride + (max(first + i, 1u) - 1u) * params.width;
  }
  var sums: array<vec3f, 8>;
  for (var i = 0u; i < 8u; i++) { sums[i] = NOTHING; }
  if (anything) {
    for (var q = lane; q < params.quads; q += 64u) {
      multiply(p, q);
      for (var i = 0u; i < inUse; i++) {
        if (!needed[i]) { continue; }
        let row = targetRow[i];
        let inverse = inverseOf(p, row);
        let x = select(vec4f(NOTHING.x), z[i], legalFour(row, q));
        var known = raised(sums[i], max(sums[i].x, largestOf(x)), inverse);
        let below = (x - known.x) * inverse;
        let e = exp(below);
        known.y += dot(e, vec4f(1.0));
        known.z += dot(e, max(below, LOWEST));
        sums[i] = known;
        if (row.x / 4u == q) { chosen[i] = z[i][row.x % 4u]; }
      }
    }
  }
  for (var i = 0u; i < 8u; i++) { largests[64u * i + lane] = sums[i].x; }
  workgroupBarrier();
  if (lane < 8u) {
    var most = NOTHING.x;
    for (var t = 0u; t < 64u; t++) { most = max(most, largests[64u * lane + t]); }
    largest[lane] = most;
  }
  workgroupBarrier();
  for (var i = 0u; i < inUse; i++) {
    parts[64u * i + lane] = raised(sums[i], largest[i], inverseOf(p, targetRow[i])).yz;
  }
  workgroupBarrier();
  if (lane >= inUse) { return; }
  let row = table[p * params.tableStride + first + lane];
  var results = vec4f();
  if (row.y > 0u && isNeeded(p, roleOf(row.w))) {
    var total = vec2f();
    for (var t = 0u; t < 64u; t++) { total += parts[64u * lane + t]; }
    let logSum = log(total.x);
    var own = params.impossible;
    if (any(legalFour(row, row.x / 4u) & isSet(1u << (row.x % 4u)))) {
      own = (chosen[lane] - largest[lane]) * inverseOf(p, row) - logSum;
    }
    results = vec4f(own, logSum - total.y / total.x, largest[lane], logSum);
  }
  let r = first + lane;
  logProb[p * params.logProbStride + r] = results.x;
  entropy[p * params.entropyStride + r] = results.y;
  logSumExp[p * params.logSumExpStride + 2u * r] = results.z;
  logSumExp[p * params.logSumExpStride + 2u * r + 1u] = results.w;
}
