// Lets each token look at those before it: causal attention.
// Causal attention: out_r = Σ_t softmax_t(q_r·k_t/√D)·v_t over the trajectory's positions t ≤ position_r, softmax in
// one pass (arXiv 1805.02867); logSumExp [P,R,H] of the scaled scores is kept for the backward pass. Queries: qkv
// [P,R,W]. Keys and values: `keys`, at row keyBase + t: the cache, or qkv itself; `group` neighbouring heads share
// them. One thread per head and QUERIES neighbouring rows, which read each key and value once (1 with a cache: there
// neighbours share none); D = 4·HEAD_QUADS, no barriers. Floor: 2·T·D flops twice per row and head, 8·T·D/QUERIES
// bytes.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write out: vec4f; logSumExp: f32
// #read qkv, keys: vec4f; table: vec4u
// #params heads, group, width (W / 4), keyStep (quads per row of `keys`), keyOffset, valueOffset: u32; scale: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let i = lineOf(group) * 64u + lane;
  let first = i / params.heads * $QUERIESu;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let h = (i % params.heads) * $HEAD_QUADSu;
  let keyHead = (i % params.heads) / params.group * $HEAD_QUADSu;
  let width = params.heads * $HEAD_QUADSu;
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
  let query$q = p * params.qkvStride + row$q * params.width + h;
  var highest$q = -1e30;
  var sum$q = 0.0;
  // #repeat d HEAD_QUADS
  let q$q_$d = qkv[query$q + $du] * params.scale;
  var o$q_$d = vec4f();
  // #end
  // #end
  var t = begin;
  loop {
    let key = p * params.keysStride + t * params.keyStep + keyHead;
    // #repeat d HEAD_QUADS
    let k$d = keys[key + params.keyOffset + $du];
    let v$d = keys[key + params.valueOffset + $du];
    // #end
    // #repeat q QUERIES
    let sees$q = t - start$q <= position$q;
    let products$q = vec4f()
    // #repeat d HEAD_QUADS
      + q$q_$d * k$d
    // #end
    ;
    let score$q = (products$q.x + products$q.y) + (products$q.z + products$q.w);
    // The larger of exp(score − highest) and exp(highest − score) would be the new highest's own weight, 1.
    let isHigher$q = sees$q & (score$q > highest$q);
    let power$q = exp(-abs(score$q - highest$q));
    let shrink$q = select(1.0, power$q, isHigher$q);
    let weight$q = select(0.0, select(power$q, 1.0, isHigher$q), sees$q);
    highest$q = select(highest$q, score$q, isHigher$q);
    sum$q = sum$q * shrink$q + weight$q;
    // #repeat d HEAD_QUADS
    o$q_$d = o$q_$d * shrink$q + weight$q * select(vec4f(), v$d, sees$q);
    // #end
    // #end
    continuing {
      t++;
      break if t == end;
    }
  }
  // #repeat q QUERIES
  if (first + $qu < rows) {
    let to = p * params.outStride + row$q * width + h;
    // #repeat d HEAD_QUADS
    out[to + $du] = o$q_$d / sum$q;
    // #end
    logSumExp[p * params.logSumExpStride + row$q * params.heads + i % params.heads] = highest$q + log(sum$q);
  }
  // #end
}
