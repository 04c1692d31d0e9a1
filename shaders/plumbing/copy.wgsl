// Copies numbers.
// out = source, bit for bit. One thread per four elements, storage padded to 16 bytes. Floor: 8 bytes an element.
// #include "lib/grid.wgsl"

// #write out: vec4u
// #read source: vec4u
// #params outOffset, sourceOffset, quads: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(group) * 64u + lane;
  if (i < params.quads) { out[params.outOffset + i] = source[params.sourceOffset + i]; }
}
