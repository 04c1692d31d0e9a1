// Remembers keys and values of attention for the tokens to come.
// cache[keyBase_r + position_r] = (key_r, value_r). qkv [P,R,W] → cache [P,capacity,S], S the keys
// and values, the end of a row. One thread per four channels. Floor: 8·R·S bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write cache: vec4f
// #read qkv: vec4f; table: vec4u
// #params stored (S / 4), width (W / 4): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.stored;
  if (r >= rowCount(p)) { return; }
  let c = i % params.stored;
  let row = table[p * params.tableStride + r];
  cache[p * params.cacheStride + (row.z + row.y) * params.stored + c] =
    qkv[p * params.qkvStride + (r + 1u) * params.width - params.stored + c];
}
