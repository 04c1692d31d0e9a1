// Gradient of attention by its queries.
// dq_r = Σ_t ds_rt·k_t with ds_rt = p_rt·(dOut_r·v_t − dOut_r·out_r)/√D and p_rt = exp(q_r·k_t/√D − logSumExp_r)
// (arXiv 2205.14135, appendix B). dqkv, qkv [P,R,W]; dOut, out [P,R,H·D]; logSumExp [P,R,H].
// One thread per head and QUERIES neighbouring rows, which read each key and value once.
// Floor: 3·2·T·D flops per row and head, 8·T·D/QUERIES bytes.
// #include "backward/attention_bindings.wgsl"
// #include "backward/attention_by_queries.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  byQueries(group.z, lineOf(group) * 64u + lane);
}
