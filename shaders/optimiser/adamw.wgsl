// One AdamW step on every weight.
// AdamW (arXiv 1711.05101) on the gradient clipped by global norm, g·min(1, maxGradNorm/(norm + 1e-6)): θ −=
// lr·weightDecay·θ;  m, v moving averages;  θ −= lr·m̂/(√v̂ + ε) with bias corrections 1 − βᵗ. Inactive members and
// those with a non-finite norm do not change. activeFlag 1 + k moves the parameters from number k on. All [P,N];
// a thread takes 8 elements, 64 apart. Floor: 28·N bytes, 15·N flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/hyper.wgsl"
// #include "lib/layout.wgsl"
// #include "optimiser/finite.wgsl"

// #write parameters, firstMoment, secondMoment: f32
// #read step, gradients, norm: f32; activeFlag: u32
// #params parametersOffset, firstMomentOffset, secondMomentOffset, gradientsOffset, length (N): u32

// 1 − βᵗ to float32 accuracy, which neither pow() near 1 nor repeated squaring gives: t·log β by the series of
// 2·artanh, then −expm1.
fn biasCorrection(beta: f32, t: f32) -> f32 {
  if (beta < 0.5) { return 1.0 - pow(max(beta, 1e-30), t); }
  let s = (1.0 - beta) / (1.0 + beta);
  let z = s * s;
  let series = 1.0 + z * (1.0 / 3.0 + z * (0.2 + z * (1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z / 13.0)))));
  let y = 2.0 * t * s * series;
  if (y > 0.5) { return 1.0 - exp(-y); }
  return y * (1.0 - y / 2.0 * (1.0 - y / 3.0 * (1.0 - y / 4.0 * (1.0 - y / 5.0 * (1.0 - y / 6.0 * (1.0 - y / 7.0))))));
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let first = lineOf(group) * 512u + lane;
  let ownNorm = norm[p * params.normStride];
  let flag = activeFlag[p * params.activeFlagStride];
  if (first >= params.length || flag == 0u || !isFinite(ownNorm)) { return; }
  let rate = hyperOf(p, HYPER_LEARNING_RATE);
  let beta1 = hyperOf(p, HYPER_BETA1);
  let beta2 = hyperOf(p, HYPER_BETA2);
  let epsilon = hyperOf(p, HYPER_EPSILON);
  let keep = 1.0 - rate * hyperOf(p, HYPER_WEIGHT_DECAY);
  let clip = min(1.0, hyperOf(p, HYPER_MAX_GRAD_NORM) / (ownNorm + BOUND_NORM));
  let steps = step[p * params.stepStride];
  let correction1 = biasCorrection(beta1, steps);
  let correction2 = biasCorrection(beta2, steps);
  let end = min(first + 512u, params.length);
  for (var i = first; i < end; i += 64u) {
    if (i + 1u < flag) { continue; }
    let g = gradients[p * params.gradientsStride + params.gradientsOffset + i] * clip;
    let at1 = p * params.firstMomentStride + params.firstMomentOffset + i;
    let at2 = p * params.secondMomentStride + params.secondMomentOffset + i;
    let m = beta1 * firstMoment[at1] + (1.0 - beta1) * g;
    let v = beta2 * secondMoment[at2] + (1.0 - beta2) * g * g;
    firstMoment[at1] = m;
    secondMoment[at2] = v;
    let at = p * params.parametersStride + params.parametersOffset + i;
    parameters[at] = parameters[at] * keep - rate * (m / correction1) / (sqrt(v / correction2) + epsilon);
  }
}
