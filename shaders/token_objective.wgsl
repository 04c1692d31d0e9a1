// Derivatives of the loss by each target token's log-prob and entropy: loss = pg[ρ]·surrogate/N_pg − ce[ρ]·logProb/N_ce
// + [ρ = action]·(klCoefficient·k3 − entropyCoefficient·entropy)/N_action, N_pg = Σ counts over roles with pg ≠ 0, N_ce
// likewise; a term whose count is 0 is absent. All [P,R], advantage by sequence, counts [P,4]. One thread per row.
// Floor: 40·R bytes. Values for the charts: token_terms.wgsl.
// #include "grid.wgsl"
// #include "count.wgsl"
// #include "objective.wgsl"

struct Params {
  gridWidth: u32,
  dLogProbStride: u32,
  dEntropyStride: u32,
  logProbStride: u32,
  oldLogProbStride: u32,
  referenceLogProbStride: u32,
  advantageStride: u32,
  tableStride: u32,
  countStride: u32,
  countsStride: u32,
  hyperStride: u32,
  worldModelOnly: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> counts: array<vec4f, 1024>;
@group(0) @binding(3) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(4) var<storage, read_write> dLogProb: array<f32>;
@group(0) @binding(5) var<storage, read_write> dEntropy: array<f32>;
@group(0) @binding(6) var<storage, read> logProb: array<f32>;
@group(0) @binding(7) var<storage, read> oldLogProb: array<f32>;
@group(0) @binding(8) var<storage, read> referenceLogProb: array<f32>;
@group(0) @binding(9) var<storage, read> advantage: array<f32>;
@group(0) @binding(10) var<storage, read> table: array<vec4u>;

fn denominator(p: u32, firstColumn: u32) -> f32 {
  let memberCounts = counts[p * params.countsStride / 4u];
  var sum = 0.0;
  for (var role = 0u; role < 4u; role++) {
    if (hyperOf(p, firstColumn + role) != 0.0) { sum += memberCounts[role]; }
  }
  return sum;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let role = roleOf(row.w);
  var byLogProb = 0.0;
  var byEntropy = 0.0;
  if (row.y > 0u && role <= ROLE_WARNING) {
    let here = logProb[p * params.logProbStride + r];
    let crossEntropy = hyperOf(p, HYPER_CROSS_ENTROPY + role);
    if (crossEntropy != 0.0) {
      let tokens = denominator(p, HYPER_CROSS_ENTROPY);
      if (tokens > 0.0) { byLogProb -= crossEntropy / tokens; }
    }
    if (params.worldModelOnly == 0u) {
      let policyGradient = hyperOf(p, HYPER_POLICY_GRADIENT + role);
      if (policyGradient != 0.0) {
        let tokens = denominator(p, HYPER_POLICY_GRADIENT);
        let a = advantage[p * params.advantageStride + sequenceOf(row.w)];
        let surrogate = surrogateOf(p, here - oldLogProb[p * params.oldLogProbStride + r], a);
        if (tokens > 0.0) { byLogProb += policyGradient * surrogate.derivative / tokens; }
      }
      let tokens = counts[p * params.countsStride / 4u][ROLE_ACTION];
      if (role == ROLE_ACTION && tokens > 0.0) {
        let kl = hyperOf(p, HYPER_KL_COEFFICIENT);
        if (kl != 0.0) {
          let d = referenceLogProb[p * params.referenceLogProbStride + r] - here;
          if (isWithin(d)) { byLogProb += kl * (1.0 - exp(d)) / tokens; }
        }
        byEntropy = -hyperOf(p, HYPER_ENTROPY_COEFFICIENT) / tokens;
      }
    }
  }
  dLogProb[p * params.dLogProbStride + r] = byLogProb;
  dEntropy[p * params.dEntropyStride + r] = byEntropy;
}
