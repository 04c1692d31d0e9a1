// Gradient of attention by QUERIES neighbouring queries of a head, as backward/attention_query.wgsl says.
fn byQueries(p: u32, i: u32) {
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
    // #repeat t ROTARY
    dq$q_$d = turn(dq$q_$d, position$q, $du);
    // #end
    dqkv[p * params.dqkvStride + query$q + $du] = dq$q_$d;
    // #end
  }
  // #end
}
