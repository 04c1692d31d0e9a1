// Bindings and parameters that both variants of forward/linear.wgsl share.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/activation.wgsl"
// #include "lib/weights.wgsl"

// #write out: vec4f
// #read x: vec4f; weight: Weights; bias, residual: vec4f
// #params inner (K / 4), width (N / 4), weightOffset, biasOffset, hasBias, activation, hasResidual: u32
