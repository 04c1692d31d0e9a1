// Sums and bounds over the lanes of a workgroup, in lane order. All lanes call it together.
// #include "advantage/lanes.wgsl"

var<workgroup> gathered: array<vec4f, LANES>;

// (Σ x, Σ y, smallest z, largest w).
fn gatherLanes(lane: u32, own: vec4f) -> vec4f {
  workgroupBarrier();
  gathered[lane] = own;
  workgroupBarrier();
  var all = gathered[0];
  for (var i = 1u; i < LANES; i++) {
    let other = gathered[i];
    all = vec4f(all.xy + other.xy, min(all.z, other.z), max(all.w, other.w));
  }
  return all;
}
