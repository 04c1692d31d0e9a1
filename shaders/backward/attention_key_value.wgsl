// Gradient of attention by its keys and values.
// dv_t = Σ_r p_rt·dOut_r, dk_t = Σ_r ds_rt·q_r over the rows r ≥ t of the trajectory; p and ds as in
// backward/attention_query.wgsl, with dOut·v − dOut·out taken as dOut·(v − out). dqkv, qkv [P,R,W]; dOut, out
// [P,R,H·D]. One thread per head of keys and QUERIES neighbouring keys, which read each later row once for each of the
// `group` heads of queries that share them; a trajectory's rows are adjacent and share keyBase. Floor: 4·2·T·D flops
// per row and head, 12·T·D/QUERIES bytes.
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
  group: u32, // heads that share a head of keys
  width: u32, // W / 4
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
  let keyHeads = params.heads / params.group;
  let first = i / keyHeads * $QUERIESu;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let width = params.heads * $HEAD_QUADSu;
  let toValues = keyHeads * $HEAD_QUADSu;
  let entries = p * params.tableStride;
  // Keys past the end repeat the last one, and are not stored. Of a row that does not see a key, nothing is
  // added to the key's sums, not even 0·∞.
  // #repeat j QUERIES
  let row$j = min(first + $ju, rows - 1u);
  let start$j = table[entries + row$j].z;
  let key$j = row$j * params.width + width + i % keyHeads * $HEAD_QUADSu;
  // #repeat d HEAD_QUADS
  let k$j_$d = qkv[p * params.qkvStride + key$j + $du] * params.scale;
  let v$j_$d = qkv[p * params.qkvStride + key$j + toValues + $du];
  var dk$j_$d = vec4f();
  var dv$j_$d = vec4f();
  // #end
  // #end
  let last = table[entries + min(first + $QUERIESu, rows) - 1u].z;
  for (var head = i % keyHeads * params.group; head < (i % keyHeads + 1u) * params.group; head++) {
    let h = head * $HEAD_QUADSu;
    var r = first;
    var start = start0;
    loop {
      let query = p * params.qkvStride + r * params.width + h;
      let at = r * width + h;
      // #repeat d HEAD_QUADS
      let q$d = qkv[query + $du];
      let g$d = dOut[p * params.dOutStride + at + $du];
      let out$d = out[p * params.outStride + at + $du];
      // #end
      let normaliser = logSumExp[p * params.logSumExpStride + r * params.heads + head];
      // #repeat j QUERIES
      let seen$j = (r >= row$j) & (start == start$j);
      let scores$j = vec4f()
      // #repeat d HEAD_QUADS
        + k$j_$d * q$d
      // #end
      ;
      let values$j = vec4f()
      // #repeat d HEAD_QUADS
        + g$d * (v$j_$d - out$d)
      // #end
      ;
      let weight$j = select(0.0, exp((scores$j.x + scores$j.y) + (scores$j.z + scores$j.w) - normaliser), seen$j);
      let ds$j = select(0.0, weight$j * ((values$j.x + values$j.y) + (values$j.z + values$j.w)) * params.scale, seen$j);
      // #repeat d HEAD_QUADS
      dv$j_$d += weight$j * select(vec4f(), g$d, seen$j);
      dk$j_$d += ds$j * select(vec4f(), q$d, seen$j);
      // #end
      // #end
      continuing {
        r++;
        start = table[entries + min(r, rows - 1u)].z;
        break if (r == rows) | ((r >= first + $QUERIESu) & (start != last));
      }
    }
  }
  // #repeat j QUERIES
  if (first + $ju < rows) {
    // #repeat d HEAD_QUADS
    dqkv[p * params.dqkvStride + key$j + $du] = dk$j_$d;
    dqkv[p * params.dqkvStride + key$j + toValues + $du] = dv$j_$d;
    // #end
  }
  // #end
}
