// Sets every number to one value.
// Every element = value. One thread per four elements, storage padded to 16 bytes. Floor: 4 bytes an element.
// #include "lib/grid.wgsl"

// #write out: vec4f
// #params outOffset, quads: u32; value: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(group) * 64u + lane;
  if (i < params.quads) { out[params.outOffset + i] = vec4f(params.value); }
}
