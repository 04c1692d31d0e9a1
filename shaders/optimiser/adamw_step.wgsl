// Counts the optimiser steps of each policy.
// step += 1 for members that take a step: active, and with a finite norm. step, norm, activeFlag [P,1]; one thread per
// member, before optimiser/adamw.wgsl reads the step.
// #include "optimiser/finite.wgsl"

// #write step: f32
// #read norm: f32; activeFlag: u32

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  let p = group.z;
  if (activeFlag[p * params.activeFlagStride] == 0u || !isFinite(norm[p * params.normStride])) { return; }
  step[p * params.stepStride] += 1.0;
}
