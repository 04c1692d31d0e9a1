// Copies numbers.
// out = source, bit for bit. One thread per four elements, storage padded to 16 bytes. Floor: 8 bytes an element.
// #include "lib/grid.wgsl"

struct Params {
  gridWidth: u32,
  quads: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4u>;
@group(0) @binding(2) var<storage, read> source: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = lineOf(group) * 64u + lane;
  if (i < params.quads) { out[i] = source[i]; }
}
