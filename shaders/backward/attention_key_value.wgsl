// Gradient of attention by its keys and values.
// dv_t = Σ_r p_rt·dOut_r, dk_t = Σ_r ds_rt·q_r over the rows r ≥ t of the trajectory; p and ds as in
// backward/attention_query.wgsl, with dOut·v − dOut·out taken as dOut·(v − out). dqkv, qkv [P,R,3C]; dOut, out [P,R,C].
// One thread per (key row, head); a trajectory's rows are adjacent and share keyBase.
// Floor: 4·2·T·D flops per row and head.
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
  let keyRow = i / params.heads;
  let rows = rowCount(p);
  if (keyRow >= rows) { return; }
  let head = i % params.heads;
  let h = head * $HEAD_QUADSu;
  let width = params.heads * $HEAD_QUADSu;
  let key = (keyRow * 3u + 1u) * width + h;
  // #repeat d HEAD_QUADS
  let k$d = qkv[p * params.qkvStride + key + $du] * params.scale;
  let v$d = qkv[p * params.qkvStride + key + width + $du];
  var dk$d = vec4f();
  var dv$d = vec4f();
  // #end
  let base = table[p * params.tableStride + keyRow].z;
  for (var r = keyRow; r < rows; r++) {
    if (table[p * params.tableStride + r].z != base) { break; }
    let query = p * params.qkvStride + r * 3u * width + h;
    let at = r * width + h;
    var scores = vec4f();
    var values = vec4f();
    // #repeat d HEAD_QUADS
    let q$d = qkv[query + $du];
    let g$d = dOut[p * params.dOutStride + at + $du];
    scores += k$d * q$d;
    values += g$d * (v$d - out[p * params.outStride + at + $du]);
    // #end
    let normaliser = logSumExp[p * params.logSumExpStride + r * params.heads + head];
    let weight = exp((scores.x + scores.y) + (scores.z + scores.w) - normaliser);
    let ds = weight * ((values.x + values.y) + (values.z + values.w)) * params.scale;
    // #repeat d HEAD_QUADS
    dv$d += weight * g$d;
    dk$d += ds * q$d;
    // #end
  }
  // #repeat d HEAD_QUADS
  dqkv[p * params.dqkvStride + key + $du] = dk$d;
  dqkv[p * params.dqkvStride + key + width + $du] = dv$d;
  // #end
}
