// Gradient of attention by its queries, keys and values, on GPUs.
// backward/attention_query.wgsl and backward/attention_key_value.wgsl in one dispatch, to the same bits: they write
// other columns of dqkv and read none. The first workgroups are by queries, the others by keys; one thread per head and
// QUERIES or KEYS neighbouring rows. With ROTARY 1 forward/rotary.wgsl backwards is in it. Floor: 7·2·T·D flops per row
// and head, 8·T·D/QUERIES + 12·T·D/KEYS bytes.
// #include "backward/attention_bindings.wgsl"
// #include "backward/attention_by_queries.wgsl"
// #include "backward/attention_by_keys.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let line = lineOf(group);
  if (line < params.queryGroups) {
    byQueries(group.z, line * 64u + lane);
  } else {
    byKeys(group.z, (line - params.queryGroups) * 64u + lane);
  }
}
