// Gradient of attention by its keys and values.
// dv_t = Σ_r p_rt·dOut_r, dk_t = Σ_r ds_rt·q_r over the rows r ≥ t of the trajectory; p and ds as in
// backward/attention_query.wgsl, with dOut·v − dOut·out taken as dOut·(v − out). dqkv, qkv [P,R,W]; dOut, out
// [P,R,H·D]. One thread per head of keys and KEYS neighbouring keys, which read each later row once for each of the
// `group` heads of queries that share them; a trajectory's rows are adjacent and share keyBase. Floor: 4·2·T·D flops
// per row and head, 12·T·D/KEYS bytes.
// #include "backward/attention_bindings.wgsl"
// #include "backward/attention_by_keys.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  byKeys(group.z, lineOf(group) * 64u + lane);
}
