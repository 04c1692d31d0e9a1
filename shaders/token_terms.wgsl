// The per-token terms behind the charts, [P,R,8], columns TERM_*: zero except at target rows. Losses are weighted and
// not yet divided by their counts. One thread per row, two vec4 stores. Floor: 72·R bytes.
// #include "grid.wgsl"
// #include "count.wgsl"
// #include "objective.wgsl"

struct Params {
  gridWidth: u32,
  termsStride: u32,
  logProbStride: u32,
  oldLogProbStride: u32,
  referenceLogProbStride: u32,
  behaviourLogProbStride: u32,
  entropyStride: u32,
  advantageStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> terms: array<vec4f>;
@group(0) @binding(4) var<storage, read> logProb: array<f32>;
@group(0) @binding(5) var<storage, read> oldLogProb: array<f32>;
@group(0) @binding(6) var<storage, read> referenceLogProb: array<f32>;
@group(0) @binding(7) var<storage, read> behaviourLogProb: array<f32>;
@group(0) @binding(8) var<storage, read> entropy: array<f32>;
@group(0) @binding(9) var<storage, read> advantage: array<f32>;
@group(0) @binding(10) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let role = roleOf(row.w);
  var values: array<f32, 8>;
  if (row.y > 0u && role <= ROLE_WARNING) {
    let here = logProb[p * params.logProbStride + r];
    let logRatio = here - oldLogProb[p * params.oldLogProbStride + r];
    let policyGradient = hyperOf(p, HYPER_POLICY_GRADIENT + role);
    let crossEntropy = hyperOf(p, HYPER_CROSS_ENTROPY + role);
    let action = role == ROLE_ACTION;
    if (policyGradient != 0.0) {
      let a = advantage[p * params.advantageStride + sequenceOf(row.w)];
      let surrogate = surrogateOf(p, logRatio, a);
      values[TERM_POLICY_LOSS] = policyGradient * surrogate.loss;
      if (action && surrogate.isClipped) { values[TERM_CLIPPED] = 1.0; }
    }
    if (crossEntropy != 0.0) { values[TERM_CROSS_ENTROPY_LOSS] = -crossEntropy * here; }
    if (role == ROLE_OBSERVATION) { values[TERM_OBSERVATION_NLL] = -here; }
    if (action) {
      values[TERM_KL] = k3(clamped(referenceLogProb[p * params.referenceLogProbStride + r] - here));
      values[TERM_ENTROPY] = entropy[p * params.entropyStride + r];
      values[TERM_LOG_RATIO] = clamped(logRatio);
      values[TERM_MISMATCH] = abs(here - behaviourLogProb[p * params.behaviourLogProbStride + r]);
    }
  }
  let at = p * params.termsStride + 2u * r;
  terms[at] = vec4f(values[0], values[1], values[2], values[3]);
  terms[at + 1u] = vec4f(values[4], values[5], values[6], values[7]);
}
