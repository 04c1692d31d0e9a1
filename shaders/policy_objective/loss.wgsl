// Policy loss of each token and its gradient.
// dLogProb = ∂(Σ policyWeight·surrogate)/∂logProb and the terms 0 … 6 and 16 … 18 of each row, from its segment
// (policy_objective/ratio_segments.wgsl); src/tensor/objective/policy/tokens.ts is the same. dLogProb, logProb [P,R],
// terms [P,R,20], segments [P,R,4], the others [P,B,T]. One thread per row. Floor: 100·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "policy_objective/surrogate.wgsl"

// #write dLogProb, terms: f32
// #read logProb, oldLogProb, advantage, policyWeight: f32; segments: vec4f; table: vec4u
// #params context (T): u32

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
