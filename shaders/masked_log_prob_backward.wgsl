// In place, logits → gradient: at row r − 1 of target r, [dLogProb·(onehot − p) − dEntropy·p·(log p +
// entropy)]/temperature over the legal set and 0 elsewhere, p = exp(z − logSumExp); rows that predict no needed target,
// or one with both derivatives 0, become 0 (whatever they held). logits [P,R,V], the others [P,R]. One thread per row,
// no barriers. Floor: 8·R·V bytes, R·V exponentials.
// #include "grid.wgsl"
// #include "count.wgsl"
// #include "needed.wgsl"
// #include "legal.wgsl"

struct Params {
  gridWidth: u32,
  logitsStride: u32,
  dLogProbStride: u32,
  dEntropyStride: u32,
  entropyStride: u32,
  logSumExpStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
  vocabulary: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> logits: array<f32>;
@group(0) @binding(4) var<storage, read> dLogProb: array<f32>;
@group(0) @binding(5) var<storage, read> dEntropy: array<f32>;
@group(0) @binding(6) var<storage, read> entropy: array<f32>;
@group(0) @binding(7) var<storage, read> logSumExp: array<f32>;
@group(0) @binding(8) var<storage, read> table: array<vec4u>;
@group(0) @binding(9) var<storage, read> legalSets: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let predictor = lineOf(group) * 64u + lane;
  let rows = rowCount(p);
  if (predictor >= rows) { return; }
  let base = p * params.logitsStride + predictor * params.vocabulary;
  let r = predictor + 1u;
  var row = vec4u();
  var derivatives = vec2f();
  if (r < rows) {
    row = table[p * params.tableStride + r];
    if (row.y > 0u && isNeeded(p, roleOf(row.w))) {
      derivatives = vec2f(dLogProb[p * params.dLogProbStride + r], dEntropy[p * params.dEntropyStride + r]);
    }
  }
  if (derivatives.x == 0.0 && derivatives.y == 0.0) {
    for (var v = 0u; v < params.vocabulary; v++) { logits[base + v] = 0.0; }
    return;
  }
  let restricted = roleOf(row.w) == ROLE_ACTION;
  let legalSet = legalSetOf(row.w);
  let temperature = select(1.0, hyperOf(p, HYPER_TEMPERATURE), restricted);
  let normaliser = logSumExp[p * params.logSumExpStride + r];
  let mean = entropy[p * params.entropyStride + r];
  for (var first = 0u; first < params.vocabulary; first += 32u) {
    var legal = 0xffffffffu;
    if (restricted) { legal = legalWord(legalSet, first / 32u); }
    let end = min(first + 32u, params.vocabulary);
    for (var v = first; v < end; v++) {
      var gradient = 0.0;
      if ((legal & 1u) != 0u) {
        let logProb = logits[base + v] / temperature - normaliser;
        let prob = exp(logProb);
        gradient = derivatives.x * (select(0.0, 1.0, v == row.x) - prob);
        if (prob > 0.0) { gradient -= derivatives.y * prob * (logProb + mean); }
        gradient /= temperature;
      }
      logits[base + v] = gradient;
      legal >>= 1u;
    }
  }
}
