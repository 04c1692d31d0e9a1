// counts[role] (=|+=) target rows (position > 0) with that role. counts [P,4], exact: whole numbers.
// One workgroup per member, each thread every 64th row. Floor: 16·R bytes.
// #include "count.wgsl"
// #include "layout.wgsl"

struct Params {
  countsStride: u32,
  tableStride: u32,
  countStride: u32,
  accumulate: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> counts: array<vec4f>;
@group(0) @binding(3) var<storage, read> table: array<vec4u>;

var<workgroup> partial: array<vec4u, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  var mine = vec4u();
  for (var r = lane; r < rows; r += 64u) {
    let row = table[p * params.tableStride + r];
    mine += select(vec4u(), vec4u(1u), (vec4u(roleOf(row.w)) == vec4u(0u, 1u, 2u, 3u)) & vec4<bool>(row.y > 0u));
  }
  partial[lane] = mine;
  workgroupBarrier();
  if (lane != 0u) { return; }
  var total = vec4u();
  for (var i = 0u; i < 64u; i++) { total += partial[i]; }
  let at = p * params.countsStride;
  var value = vec4f(total);
  if (params.accumulate != 0u) { value += counts[at]; }
  counts[at] = value;
}
