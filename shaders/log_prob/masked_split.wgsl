// Log-probability of each token the loss needs, for large vocabularies.
// log_prob/masked.wgsl for long rows: one workgroup of 64 threads per row, thread t reads tokens 16t … 16t + 15,
// 16t + 1024 …; their parts are rescaled to the common maximum and added in order. Same arguments, same floor: 4·R·V
// bytes.
// #include "log_prob/masked_bindings.wgsl"

var<workgroup> largests: array<f32, 64>;
var<workgroup> parts: array<vec2f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = params.firstRow + lineOf(group);
  if (r >= min(rowCount(p), params.endRow)) { return; }
  let row = table[p * params.tableStride + r];
  if (row.y == 0u || !isNeeded(p, roleOf(row.w))) {
    if (lane == 0u) { writeNothing(p, r, row); }
    return;
  }
  let inverse = inverseOf(p, row);
  let part = softmaxPart(baseOf(p, r), lane, 64u, isRestricted(row), legalSetOf(row.w), inverse);
  largests[lane] = part.x;
  workgroupBarrier();
  var largest = largests[0];
  for (var i = 1u; i < 64u; i++) { largest = max(largest, largests[i]); }
  parts[lane] = raised(part, largest, inverse).yz;
  workgroupBarrier();
  if (lane > 0u) { return; }
  var sums = vec3f(largest, 0.0, 0.0);
  for (var i = 0u; i < 64u; i++) { sums += vec3f(0.0, parts[i]); }
  writeResults(p, r, row, sums, inverse);
}
