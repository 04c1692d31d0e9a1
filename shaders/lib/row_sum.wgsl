// Sums over rows that 32 threads share, two rows a workgroup of 64: a fixed tree. Every thread of the workgroup calls
// it.
var<workgroup> ofLanes: array<vec2f, 64>;

fn rowSum(lane: u32, own: vec2f) -> vec2f {
  ofLanes[lane] = own;
  for (var apart = 16u; apart > 0u; apart /= 2u) {
    workgroupBarrier();
    if (lane % 32u < apart) { ofLanes[lane] += ofLanes[lane + apart]; }
  }
  workgroupBarrier();
  let sum = ofLanes[lane - lane % 32u];
  workgroupBarrier();
  return sum;
}

fn total(x: vec4f) -> f32 { return x.x + x.y + x.z + x.w; }
