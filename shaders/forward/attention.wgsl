// Lets each token look at those before it: causal attention.
// Causal attention: out_r = Σ_t softmax_t(q_r·k_t/√D)·v_t over the trajectory's positions t ≤ position_r, softmax in
// one pass (arXiv 1805.02867); logSumExp [P,R,H] of the scaled scores is kept for the backward pass. Queries: qkv
// [P,R,3C]. Keys and values: `keys`, at row keyBase + t: the cache [P,·,2C], or qkv itself. One thread per (row, head),
// D = 4·HEAD_QUADS, no barriers. Floor: 2·T·D flops twice per row and head.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

struct Params {
  gridWidth: u32,
  outStride: u32,
  logSumExpStride: u32,
  qkvStride: u32,
  keysStride: u32,
  tableStride: u32,
  countStride: u32,
  heads: u32,
  keyStep: u32, // quads per row of `keys`
  keyOffset: u32,
  valueOffset: u32,
  scale: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> count: array<vec4u, 256>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> logSumExp: array<f32>;
@group(0) @binding(4) var<storage, read> qkv: array<vec4f>;
@group(0) @binding(5) var<storage, read> keys: array<vec4f>;
@group(0) @binding(6) var<storage, read> table: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let r = i / params.heads;
  if (r >= rowCount(p)) { return; }
  let h = (i % params.heads) * $HEAD_QUADSu;
  let width = params.heads * $HEAD_QUADSu;
  let row = table[p * params.tableStride + r];
  let query = p * params.qkvStride + r * 3u * width + h;
  // #repeat d HEAD_QUADS
  let q$d = qkv[query + $du] * params.scale;
  var o$d = vec4f();
  // #end
  var key = p * params.keysStride + row.z * params.keyStep + h;
  var highest = -3e38;
  var sum = 0.0;
  for (var t = 0u; t <= row.y; t++) {
    let k = key + params.keyOffset;
    var products = vec4f();
    // #repeat d HEAD_QUADS
    products += q$d * keys[k + $du];
    // #end
    let score = (products.x + products.y) + (products.z + products.w);
    if (score > highest) {
      let shrink = exp(highest - score);
      sum *= shrink;
      // #repeat d HEAD_QUADS
      o$d *= shrink;
      // #end
      highest = score;
    }
    let weight = exp(score - highest);
    sum += weight;
    let v = key + params.valueOffset;
    // #repeat d HEAD_QUADS
    o$d += weight * keys[v + $du];
    // #end
    key += params.keyStep;
  }
  let to = p * params.outStride + r * width + h;
  // #repeat d HEAD_QUADS
  out[to + $du] = o$d / sum;
  // #end
  logSumExp[p * params.logSumExpStride + i] = highest + log(sum);
}
