// Sum of the squared probabilities at each action, for large vocabularies.
// log_prob/sum_of_squares.wgsl for long rows: one workgroup of 64 threads per row, thread t reads tokens 16t … 16t +
// 15, 16t + 1024 …, and thread 0 adds up the 64 parts in their order. Floor: 4·R·V bytes.
// #include "log_prob/sum_of_squares_bindings.wgsl"

var<workgroup> parts: array<f32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = params.firstRow + lineOf(group);
  if (r >= min(rowCount(p), params.endRow)) { return; }
  let row = table[p * params.tableStride + r];
  let needed = row.y > 0u && isDrawn(roleOf(row.w));
  parts[lane] = 0.0;
  if (needed) { parts[lane] = squaresPart(p, r, row.w, lane, 64u); }
  workgroupBarrier();
  if (lane > 0u) { return; }
  var sum = 0.0;
  for (var i = 0u; i < 64u; i++) { sum += parts[i]; }
  out[p * params.outStride + r] = sum;
}
