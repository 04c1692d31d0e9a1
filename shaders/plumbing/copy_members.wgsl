// Copies the numbers of chosen policies.
// out[p] = source[p] where activeFlag[p] ≠ 0, bit for bit; both [P,N]. One thread an element.
// Floor: 8·N bytes a member.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"

// #write out: f32
// #read source: f32; activeFlag: u32
// #params outOffset, sourceOffset, length (N): u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  if (i >= params.length || activeFlag[p * params.activeFlagStride] == 0u) { return; }
  out[p * params.outStride + params.outOffset + i] = source[p * params.sourceStride + params.sourceOffset + i];
}
