// Gradient of a layer norm, or of an RMS norm, by what it normalised.
// dx (=|+=) rstd·(g − mean(g) − x̂·mean(g·x̂)), g = dOut·gamma, x̂ = (x − mean)·rstd. All [P,R,C], stats [P,R,2].
// Not centred (RMS norm): the mean is 0 and without mean(g).
// One thread per row, no barriers. Floor: 12·R·C bytes, 10·R·C flops. dGamma, dBeta: backward/layer_norm_weight.wgsl.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "backward/layer_norm_input.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  byInput(memberOf(group), lineOf(group) * 64u + lane);
}
