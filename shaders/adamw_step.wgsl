// step += 1 for active members. step, activeFlag [P,1]; one thread per member, before adamw.wgsl reads the step.

struct Params {
  stepStride: u32,
  activeFlagStride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> step: array<f32>;
@group(0) @binding(2) var<storage, read> activeFlag: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  if (activeFlag[group.z * params.activeFlagStride] != 0u) { step[group.z * params.stepStride] += 1.0; }
}
