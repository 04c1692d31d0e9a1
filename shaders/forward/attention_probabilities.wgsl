// Weights that attention gave to each earlier token, for looking inside.
// Weights of the values in forward/attention.wgsl, from the log-sum-exp it kept: out [P,Q,H,T] = exp(q_r·k_t/√D −
// logSumExp[r,h]) for t ≤ position_r, 0 beyond. r is field 0 of the pick; key t is row keyBase_r + t of qkv [P,R,W].
// One thread per (pick, head, key), D = 4·HEAD_QUADS. Floor: 2·D flops and 4 bytes a thread.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write out: f32
// #read logSumExp: f32; qkv: vec4f; table, picks: vec4u
// #params heads, group (heads that share a head of keys), width (W / 4), keys (T): u32; scale: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let t = i % params.keys;
  let h = i / params.keys % params.heads;
  let pick = i / params.keys / params.heads;
  if (pick >= rowCount(p)) { return; }
  let r = picks[p * params.picksStride + pick].x;
  let row = table[p * params.tableStride + r];
  var probability = 0.0;
  if (t <= row.y) {
    let query = p * params.qkvStride + r * params.width + h * $HEAD_QUADSu;
    let key = p * params.qkvStride + (row.z + t) * params.width + (params.heads + h / params.group) * $HEAD_QUADSu;
    var products = vec4f();
    // #repeat d HEAD_QUADS
    products += qkv[query + $du] * params.scale * qkv[key + $du];
    // #end
    let score = (products.x + products.y) + (products.z + products.w);
    probability = exp(score - logSumExp[p * params.logSumExpStride + r * params.heads + h]);
  }
  out[p * params.outStride + i] = probability;
}
