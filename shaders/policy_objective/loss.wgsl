// Policy loss of each token and its gradient.
// dLogProb = ∂(Σ policyWeight·surrogate)/∂logProb and the terms 0 … 6 and 16 … 18 of each row, from its segment
// (policy_objective/ratio_segments.wgsl); src/tensor/objective/policy/tokens.ts is the same. dLogProb, logProb [P,R],
// terms [P,R,20], segments [P,R,4], the others [P,B,T]. One thread per row. Floor: 100·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/surrogate.wgsl"

struct Params {
  gridWidth: u32,
  dLogProbStride: u32,
  termsStride: u32,
  logProbStride: u32,
  oldLogProbStride: u32,
  advantageStride: u32,
  policyWeightStride: u32,
  segmentsStride: u32,
  tableStride: u32,
  countStride: u32,
  hyperStride: u32,
  context: u32, // T
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(3) var<storage, read_write> dLogProb: array<f32>;
@group(0) @binding(4) var<storage, read_write> terms: array<f32>;
@group(0) @binding(5) var<storage, read> logProb: array<f32>;
@group(0) @binding(6) var<storage, read> oldLogProb: array<f32>;
@group(0) @binding(7) var<storage, read> advantage: array<f32>;
@group(0) @binding(8) var<storage, read> policyWeight: array<f32>;
@group(0) @binding(9) var<storage, read> segments: array<vec4f>;
@group(0) @binding(10) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) block: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = block.z;
  let r = lineOf(block) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let row = table[p * params.tableStride + r];
  let role = targetRole(row);
  let drawn = isDrawn(role);
  let isCarrying = roleWeightOf(p, role) != 0.0;
  var byLogProb = 0.0;
  var loss = 0.0;
  var a = 0.0;
  var metrics: Surrogate; // 0 but on action tokens
  var logRatio = 0.0;
  var klOld = 0.0;
  var decoding = 0.0;
  if (drawn || isCarrying) {
    let dense = sequenceOf(row.w) * params.context + row.y;
    let segment = segments[p * params.segmentsStride + r];
    let here = logProb[p * params.logProbStride + r];
    let old = oldLogProb[p * params.oldLogProbStride + dense];
    if (drawn) {
      logRatio = reportedLogRatio(p, here - old);
      klOld = klOfLogRatio(logRatio);
      decoding = segment.y;
    }
    if (isCarrying) {
      a = advantage[p * params.advantageStride + dense];
      let fromBehaviour = choiceOf(p, HYPER_RATIO_BASE) == RATIO_BASE_BEHAVIOUR;
      let base = old - select(0.0, segment.y, fromBehaviour);
      let own = surrogateAt(p, segment.x, here, base, a, segment.w);
      let weight = policyWeight[p * params.policyWeightStride + dense];
      let shares = isShared(p);
      if (weight != 0.0 && segment.w != 0.0) {
        loss = weight * own.loss;
        byLogProb = weight * own.byLogProb;
        if (!shares) { byLogProb += weight * own.byRatio; }
      }
      // gmpo: a clipped token, and one with the advantage 0, is a constant in the segment's mean.
      let isHeld = choiceOf(p, HYPER_SURROGATE) == SURROGATE_GMPO && (own.clipped != 0.0 || a == 0.0);
      if (shares && !isHeld) { byLogProb += segment.z; }
      if (drawn) { metrics = own; }
    }
  }
  dLogProb[p * params.dLogProbStride + r] = byLogProb;
  let to = p * params.termsStride + r * TERM_COLUMNS;
  terms[to + TERM_POLICY_LOSS] = loss;
  terms[to + TERM_CLIPPED] = metrics.clipped;
  terms[to + TERM_CLIPPED_LOW] = select(0.0, metrics.below, a < 0.0);
  terms[to + TERM_CLIPPED_HIGH] = select(0.0, metrics.above, a > 0.0);
  terms[to + TERM_CLIPPED_DUAL] = metrics.dual;
  terms[to + TERM_LOG_RATIO] = logRatio;
  terms[to + TERM_KL_OLD] = klOld;
  terms[to + TERM_RATIO] = metrics.ratio;
  terms[to + TERM_OUTSIDE] = max(metrics.below, metrics.above);
  terms[to + TERM_DECODING_LOG_RATIO] = decoding;
}
