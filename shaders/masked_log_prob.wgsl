// For each needed target row r (position > 0): logProb = z[token] − logSumExp, entropy = logSumExp − Σ p·z, with
// logSumExp = m + log Σ exp(z − m), m = max z; z = logits[r−1]/temperature over the legal set for actions, else
// z = logits[r−1] over everything. Rows that are not needed give exactly 0 and read no logits.
// logits [P,R,V], outputs [P,R]. One thread per row, no barriers. Floor: 4·R·V bytes, R·V exponentials.
// #include "grid.wgsl"
// #include "count.wgsl"
// #include "needed.wgsl"
// #include "legal.wgsl"

struct Params {
  gridWidth: u32,
  logProbStride: u32,
  entropyStride: u32,
  logSumExpStride: u32,
  logitsStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
  vocabulary: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> logProb: array<f32>;
@group(0) @binding(4) var<storage, read_write> entropy: array<f32>;
@group(0) @binding(5) var<storage, read_write> logSumExp: array<f32>;
@group(0) @binding(6) var<storage, read> logits: array<f32>;
@group(0) @binding(7) var<storage, read> table: array<vec4u>;
@group(0) @binding(8) var<storage, read> legalSets: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let role = roleOf(row.w);
  var result = vec3f();
  if (row.y > 0u && isNeeded(p, role)) {
    let base = p * params.logitsStride + (r - 1u) * params.vocabulary;
    let restricted = role == ROLE_ACTION;
    let legalSet = legalSetOf(row.w);
    let temperature = select(1.0, hyperOf(p, HYPER_TEMPERATURE), restricted);
    // The maximum before the temperature: one division at the end instead of V.
    var highest = -3e38;
    for (var first = 0u; first < params.vocabulary; first += 32u) {
      var legal = 0xffffffffu;
      if (restricted) { legal = legalWord(legalSet, first / 32u); }
      let end = min(first + 32u, params.vocabulary);
      for (var v = first; v < end; v++) {
        if ((legal & 1u) != 0u) { highest = max(highest, logits[base + v]); }
        legal >>= 1u;
      }
    }
    var sum = 0.0;
    var weighted = 0.0;
    for (var first = 0u; first < params.vocabulary; first += 32u) {
      var legal = 0xffffffffu;
      if (restricted) { legal = legalWord(legalSet, first / 32u); }
      let end = min(first + 32u, params.vocabulary);
      for (var v = first; v < end; v++) {
        if ((legal & 1u) != 0u) {
          let z = (logits[base + v] - highest) / temperature;
          let e = exp(z);
          sum += e;
          weighted += select(0.0, z * e, e > 0.0);
        }
        legal >>= 1u;
      }
    }
    let logSum = log(sum);
    let z = (logits[base + row.x] - highest) / temperature;
    result = vec3f(z - logSum, logSum - weighted / sum, highest / temperature + logSum);
  }
  logProb[p * params.logProbStride + r] = result.x;
  entropy[p * params.entropyStride + r] = result.y;
  logSumExp[p * params.logSumExpStride + r] = result.z;
}
