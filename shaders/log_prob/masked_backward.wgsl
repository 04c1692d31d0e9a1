// Gradient of the log-probabilities by the logits.
// Gradient by the logits, in place: at row r − 1 of target r, [Σ_k dLogProb_k·(onehot_k − p) − dEntropy·p·(log p +
// entropy)]/temperature over the legal set and 0 elsewhere, p = exp((x − m)/temperature − s), (m, s) = logSumExp; rows
// that predict no needed target, or one with all derivatives 0, become 0. logits [P,R,S], dLogProb [P,R,K], logSumExp
// [P,R,2], the others [P,R]. `lanes` threads per row, each takes every lanes-th quad and adds the onehots that fall
// into its own; no barriers, and no number depends on `lanes`. Floor: 8·R·V bytes, R·V exponentials.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/needed.wgsl"
// #include "lib/legal.wgsl"

// #write logits: vec4f
// #read dLogProb, dEntropy, entropy, logSumExp: f32; table: vec4u; targets, legalSets: u32
// #params vocabulary, rowQuads (S/4), tokens (K): u32
// #params targetStep (words from one row's first target to the next one's: K, or 4 in the row table itself): u32
// #params firstRow (of this dispatch), endRow, lanes: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + thread;
  let lane = i % params.lanes;
  let predictor = params.firstRow + i / params.lanes;
  let rows = rowCount(p);
  if (predictor >= min(rows, params.endRow)) { return; }
  let base = p * params.logitsStride + predictor * params.rowQuads;
  let r = predictor + 1u;
  let derivatives = p * params.dLogProbStride + r * params.tokens;
  var row = vec4u();
  var byLogProb = 0.0;
  var byEntropy = 0.0;
  var anything = false;
  if (r < rows) {
    row = table[p * params.tableStride + r];
    if (row.y > 0u && isNeeded(p, roleOf(row.w))) {
      byEntropy = dEntropy[p * params.dEntropyStride + r];
      anything = byEntropy != 0.0;
      for (var k = 0u; k < params.tokens; k++) {
        let d = dLogProb[derivatives + k];
        anything = anything || d != 0.0;
        byLogProb += d;
      }
    }
  }
  if (!anything) {
    for (var q = lane; q < params.rowQuads; q += params.lanes) { logits[base + q] = vec4f(); }
    return;
  }
  let restricted = isDrawn(roleOf(row.w));
  let legalSet = legalSetOf(row.w);
  let inverse = 1.0 / select(1.0, hyperOf(p, HYPER_TEMPERATURE), restricted);
  let largest = logSumExp[p * params.logSumExpStride + 2u * r];
  let logSum = logSumExp[p * params.logSumExpStride + 2u * r + 1u];
  // −(D·p + dEntropy·p·(log p + entropy))/temperature = p·(constant + slope·log p).
  let constant = (-byLogProb - byEntropy * entropy[p * params.entropyStride + r]) * inverse;
  let slope = -byEntropy * inverse;
  // Tokens that need no mask come first.
  var q = lane;
  let free = select(params.vocabulary / 4u, 0u, restricted);
  for (; q < free; q += params.lanes) {
    let log = (logits[base + q] - largest) * inverse - logSum;
    logits[base + q] = exp(log) * (constant + slope * max(log, vec4f(-200.0)));
  }
  for (; q < params.rowQuads; q += params.lanes) {
    var bits = 15u;
    if (restricted) { bits = legalWord(legalSet, q / 8u) >> (4u * (q % 8u)); }
    let left = max(params.vocabulary, 4u * q) - 4u * q;
    if (left < 4u) { bits &= (1u << left) - 1u; }
    let log = (logits[base + q] - largest) * inverse - logSum;
    let gradient = exp(log) * (constant + slope * max(log, vec4f(-200.0)));
    logits[base + q] = select(vec4f(), gradient, (vec4u(bits) & vec4u(1u, 2u, 4u, 8u)) != vec4u());
  }
  for (var k = 0u; k < params.tokens; k++) {
    let token = targets[p * params.targetsStride + r * params.targetStep + k];
    let q = token / 4u;
    if (q % params.lanes != lane) { continue; }
    if (!restricted || ((legalWord(legalSet, token / 32u) >> (token % 32u)) & 1u) != 0u) {
      logits[base + q][token % 4u] += dLogProb[derivatives + k] * inverse;
    }
  }
}
