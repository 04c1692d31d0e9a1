// Sum of the squared probabilities at each action.
// out[r] = Σ_v p(v)² over the legal set of action row r (position > 0), p = exp((x − m)/temperature − s), x =
// logits[r−1], (m, s) = logSumExp[r]; 0 for all other rows, whose logits are not read. out [P,R], logSumExp [P,R,2],
// logits [P,R,S]. One thread per row, no barriers. Floor: 4·R·V bytes, R·V exponentials.
// #include "log_prob/sum_of_squares_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = params.firstRow + lineOf(group) * 64u + lane;
  if (r >= min(rowCount(p), params.endRow)) { return; }
  let row = table[p * params.tableStride + r];
  var sum = 0.0;
  if (row.y > 0u && isDrawn(roleOf(row.w))) { sum = squaresPart(p, r, row.w, 0u, 1u); }
  out[p * params.outStride + r] = sum;
}
