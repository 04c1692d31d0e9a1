// Gradient of attention by its queries.
// dq_r = Σ_t ds_rt·k_t with ds_rt = p_rt·(dOut_r·v_t − dOut_r·out_r)/√D and p_rt = exp(q_r·k_t/√D − logSumExp_r)
// (arXiv 2205.14135, appendix B). dqkv, qkv [P,R,3C]; dOut, out [P,R,C]; logSumExp [P,R,H].
// One thread per (row, head), looping over its keys. Floor: 3·2·T·D flops per row and head.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  dqkvStride: u32,
  dOutStride: u32,
  outStride: u32,
  logSumExpStride: u32,
  qkvStride: u32,
  tableStride: u32,
  countStride: u32,
  heads: u32,
  scale: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> dqkv: array<vec4f>;
@group(0) @binding(3) var<storage, read> dOut: array<vec4f>;
@group(0) @binding(4) var<storage, read> out: array<vec4f>;
@group(0) @binding(5) var<storage, read> logSumExp: array<f32>;
@group(0) @binding(6) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(7) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.heads;
  if (r >= rowCount(p)) { return; }
  let h = (i % params.heads) * $HEAD_QUADSu;
  let width = params.heads * $HEAD_QUADSu;
  let row = table[p * params.tableStride + r];
  let query = r * 3u * width + h;
  var products = vec4f();
  // #repeat d HEAD_QUADS
  let q$d = qkv[p * params.qkvStride + query + $du] * params.scale;
  let g$d = dOut[p * params.dOutStride + r * width + h + $du];
  products += g$d * out[p * params.outStride + r * width + h + $du];
  var dq$d = vec4f();
  // #end
  let own = (products.x + products.y) + (products.z + products.w);
  let normaliser = logSumExp[p * params.logSumExpStride + i];
  var k = p * params.qkvStride + (row.z * 3u + 1u) * width + h;
  for (var t = 0u; t <= row.y; t++) {
    var scores = vec4f();
    var values = vec4f();
    // #repeat d HEAD_QUADS
    let k$d = qkv[k + $du];
    scores += q$d * k$d;
    values += g$d * qkv[k + width + $du];
    // #end
    let weight = exp((scores.x + scores.y) + (scores.z + scores.w) - normaliser);
    let ds = weight * ((values.x + values.y) + (values.z + values.w) - own) * params.scale;
    // #repeat d HEAD_QUADS
    dq$d += ds * k$d;
    // #end
    k += 3u * width;
  }
  // #repeat d HEAD_QUADS
  dqkv[p * params.dqkvStride + query + $du] = dq$d;
  // #end
}
