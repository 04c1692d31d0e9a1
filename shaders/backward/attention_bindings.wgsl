// Bindings and parameters that the kernels of attention’s gradient share. With ROTARY 1 the gradients by queries and
// keys are turned too, as by forward/rotary.wgsl.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write dqkv: vec4f
// #read dOut, out: vec4f; logSumExp: f32; qkv: vec4f; table: vec4u
// #params heads, group (heads that share a head of keys), width (W / 4): u32; scale: f32
// #params queryGroups (workgroups by queries, before those by keys, in backward/attention_tiled.wgsl): u32
// #repeat t ROTARY
// #include "forward/turn.wgsl"
// #end
