// Gradient of attention by KEYS neighbouring keys and values of a head, as backward/attention_key_value.wgsl says.
fn byKeys(p: u32, i: u32) {
  let keyHeads = params.heads / params.group;
  let first = i / keyHeads * $KEYSu;
  let rows = rowCount(p);
  if (first >= rows) { return; }
  let width = params.heads * $HEAD_QUADSu;
  let toValues = keyHeads * $HEAD_QUADSu;
  let entries = p * params.tableStride;
  // Keys past the end repeat the last one, and are not stored. Of a row that does not see a key, nothing is
  // added to the key's sums, not even 0·∞.
  // #repeat j KEYS
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
  let last = table[entries + min(first + $KEYSu, rows) - 1u].z;
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
      // #repeat j KEYS
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
        break if (r == rows) | ((r >= first + $KEYSu) & (start != last));
      }
    }
  }
  // #repeat j KEYS
  if (first + $ju < rows) {
    // #repeat d HEAD_QUADS
    // #repeat t ROTARY
    dk$j_$d = turn(dk$j_$d, table[entries + row$j].y, $du);
    // #end
    dqkv[p * params.dqkvStride + key$j + $du] = dk$j_$d;
    dqkv[p * params.dqkvStride + key$j + toValues + $du] = dv$j_$d;
    // #end
  }
  // #end
}
