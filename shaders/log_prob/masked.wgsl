// Log-probability of each token the loss needs, over the legal words.
// Log-probs of each needed target row r (position > 0), for each of its K tokens: logProb = (x_token − m)/temperature −
// s, s = log Σ exp((x − m)/temperature), m = max x; x is logits[r−1] over the legal set. Roles other than action have
// temperature 1 and all tokens. entropy = −Σ p log p; logSumExp = (m, s). Other rows give exactly 0 and read no logits.
// logits [P,R,S] of which the first V ≤ S count, logProb [P,R,K], entropy [P,R], logSumExp [P,R,2]. One thread per row
// and one reading of it, no barriers. Floor: 4·R·V bytes, R·V exponentials (done: 17 for 16).
// #include "log_prob/masked_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = params.firstRow + lineOf(group) * 64u + lane;
  if (r >= min(rowCount(p), params.endRow)) { return; }
  let row = table[p * params.tableStride + r];
  if (row.y == 0u || !isNeeded(p, roleOf(row.w))) {
    writeNothing(p, r, row);
    return;
  }
  let inverse = inverseOf(p, row);
  let sums = softmaxPart(baseOf(p, r), 0u, 1u, isRestricted(row), legalSetOf(row.w), inverse);
  writeResults(p, r, row, sums, inverse);
}
