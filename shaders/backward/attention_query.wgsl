// Gradient of attention by its queries.
// dq_r = Σ_t ds_rt·k_t with ds_rt = p_rt·(dOut_r·v_t − dOut_r·out_r)/√D and p_rt = exp(q_r·k_t/√D − logSumExp_r)
// (arXiv 2205.14135, appendix B). dqkv, qkv [P,R,W]; dOut, out [P,R,H·D]; logSumExp [P,R,H].
// One thread per head and QUERIES neighbouring rows, which read each key and value once.
// Floor: 3·2·T·D flops per row and head, 8·T·D/QUERIES bytes.
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
  let first = i / params.heads * $QUERIESu;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let h = (i % params.heads) * $HEAD_QUADSu;
  let width = params.heads * $HEAD_QUADSu;
  let keyHead = (params.heads + i % params.heads / params.group) * $HEAD_QUADSu;
  let toValues = params.heads / params.group * $HEAD_QUADSu;
  var begin = 0xffffffffu;
  var end = 0u;
  // Rows past the end repeat the last one, and are not stored. Query q sees the keys start$q … start$q + position$q; of
  // others, which may be another trajectory's, nothing is added, not even 0·∞.
  // #repeat q QUERIES
  let row$q = min(first + $qu, rows - 1u);
  let position$q = table[p * params.tableStride + row$q].y;
  let start$q = table[p * params.tableStride + row$q].z;
  begin = min(begin, start$q);
  end = max(end, start$q + position$q + 1u);
  let query$q = row$q * params.width + h;
  var products$q = vec4f();
  // #repeat d HEAD_QUADS
  let q$q_$d = qkv[p * params.qkvStride + query$q + $du] * params.scale;
  let g$q_$d = dOut[p * params.dOutStride + row$q * width + h + $du];
  products$q += g$q_$d * out[p * params.outStride + row$q * width + h + $du];
  var dq$q_$d = vec4f();
  // #end
  let own$q = (products$q.x + products$q.y) + (products$q.z + products$q.w);
  let normaliser$q = logSumExp[p * params.logSumExpStride + row$q * params.heads + i % params.heads];
  // #end
  var t = begin;
  loop {
    let key = p * params.qkvStride + t * params.width + keyHead;
    // #repeat d HEAD_QUADS
    let k$d = qkv[key + $du];
    let v$d = qkv[key + toValues + $du];
    // #end
    // #repeat q QUERIES
    let sees$q = t - start$q <= position$q;
    let scores$q = vec4f()
    // #repeat d HEAD_QUADS
      + q$q_$d * k$d
    // #end
    ;
    let values$q = vec4f()
    // #repeat d HEAD_QUADS
      + g$q_$d * v$d
    // #end
    ;
    let weight$q = exp((scores$q.x + scores$q.y) + (scores$q.z + scores$q.w) - normaliser$q);
    let value$q = (values$q.x + values$q.y) + (values$q.z + values$q.w);
    let ds$q = select(0.0, weight$q * (value$q - own$q) * params.scale, sees$q);
    // #repeat d HEAD_QUADS
    dq$q_$d += ds$q * select(vec4f(), k$d, sees$q);
    // #end
    // #end
    continuing {
      t++;
      break if t == end;
    }
  }
  // #repeat q QUERIES
  if (first + $qu < rows) {
    // #repeat d HEAD_QUADS
    dqkv[p * params.dqkvStride + query$q + $du] = dq$q_$d;
    // #end
  }
  // #end
}
