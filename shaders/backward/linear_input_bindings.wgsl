// Bindings and parameters that both variants of backward/linear_input.wgsl share.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/activation.wgsl"
// #include "lib/weights.wgsl"

// #write dx: vec4f
// #read dOut, x: vec4f; weight: Weights
// #params inner (K / 4), width (N / 4), weightOffset, activation, accumulate: u32
