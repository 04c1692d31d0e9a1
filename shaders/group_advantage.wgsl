// GRPO (arXiv 2402.03300): advantage = (reward − mean)/(sample standard deviation + ε) within each group of adjacent
// trajectories, exactly 0 where all rewards are equal; zeroVariance = share of such groups. reward, advantage
// [P, groups·groupSize], zeroVariance [P,1]. One thread per group, one more for the share. Floor: 8·trajectories bytes.
// #include "grid.wgsl"
// #include "hyper.wgsl"
// #include "layout.wgsl"

struct Params {
  gridWidth: u32,
  advantageStride: u32,
  zeroVarianceStride: u32,
  rewardStride: u32,
  hyperStride: u32,
  groups: u32,
  groupSize: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> hyper: array<vec4f, 4096>;
@group(0) @binding(2) var<storage, read_write> advantage: array<f32>;
@group(0) @binding(3) var<storage, read_write> zeroVariance: array<f32>;
@group(0) @binding(4) var<storage, read> reward: array<f32>;

fn allEqual(start: u32) -> bool {
  for (var i = 1u; i < params.groupSize; i++) {
    if (reward[start + i] != reward[start]) { return false; }
  }
  return true;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let g = lineOf(group) * 64u + lane;
  let rewards = p * params.rewardStride;
  if (g == params.groups) {
    var equal = 0u;
    for (var i = 0u; i < params.groups; i++) { equal += select(0u, 1u, allEqual(rewards + i * params.groupSize)); }
    zeroVariance[p * params.zeroVarianceStride] = f32(equal) / f32(params.groups);
  }
  if (g >= params.groups) { return; }
  let size = params.groupSize;
  let base = rewards + g * size;
  let to = p * params.advantageStride + g * size;
  var sum = 0.0;
  for (var i = 0u; i < size; i++) { sum += reward[base + i]; }
  let mean = sum / f32(size);
  var squares = 0.0;
  for (var i = 0u; i < size; i++) {
    let d = reward[base + i] - mean;
    squares += d * d;
  }
  let deviation = sqrt(squares / f32(max(size, 2u) - 1u)) + hyperOf(p, HYPER_ADVANTAGE_EPSILON);
  let equal = allEqual(base);
  for (var i = 0u; i < size; i++) { advantage[to + i] = select((reward[base + i] - mean) / deviation, 0.0, equal); }
}
