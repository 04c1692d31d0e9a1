// Gathers what the gradient of the log-probabilities needs of each target.
// Numbers of each target for the gradient of the fused log-prob, in one place: the first eight numbers of row r − 1 of
// dHidden become (m, s, dLogProb, dEntropy, entropy, 0, 0, 0) of target r, (m, s) = logSumExp[r]; all 0 where r is no
// needed target. log_prob/fused_backward_head.wgsl reads them, log_prob/fused_backward_hidden.wgsl reads and overwrites
// them. dHidden [P,R,C] with C ≥ 8, the others [P,R]. One thread per row. Floor: 60·R bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"
// #include "lib/needed.wgsl"

// #write dHidden: vec4f
// #read dLogProb, dEntropy, entropy, logSumExp: f32; table: vec4u
// #params width (C/4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let predictor = lineOf(group) * 64u + lane;
  let rows = rowCount(p);
  if (predictor >= rows) { return; }
  let r = predictor + 1u;
  var known = vec4f();
  var mean = 0.0;
  if (r < rows) {
    let row = table[p * params.tableStride + r];
    if (row.y > 0u && isNeeded(p, roleOf(row.w))) {
      let sums = p * params.logSumExpStride + 2u * r;
      let byLogProb = dLogProb[p * params.dLogProbStride + r];
      known = vec4f(logSumExp[sums], logSumExp[sums + 1u], byLogProb, dEntropy[p * params.dEntropyStride + r]);
      mean = entropy[p * params.entropyStride + r];
    }
  }
  let to = p * params.dHiddenStride + predictor * params.width;
  dHidden[to] = known;
  dHidden[to + 1u] = vec4f(mean, 0.0, 0.0, 0.0);
}
