// Gradient of a linear layer by its input.
// dx (=|+=) (dOut·weightᵀ) ⊙ act′(x). dOut [P,R,N], weight [K,N], x, dx [P,R,K]. The barrier-free variant, for software
// adapters: one thread computes 16 rows × 4·COLUMNS inputs, 4 columns of N at a time; a workgroup is 8 neighbouring
// tiles. Sizes: COLUMNS, ACTIVATED (1: ⊙ act′(x)), ACCUMULATE (1: dx += …) and a type's.
// Floor: 2·R·K·N flops, 4·(R·N + K·N + 2·R·K) bytes.
// #include "backward/linear_input_bindings.wgsl"

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let rows = rowCount(p);
  let k = params.inner;
  let across = (k + $COLUMNSu - 1u) / $COLUMNSu;
  let tile = lineOf(group) * 8u + lane;
  let row = tile / across * 16u;
  if (row >= rows) { return; }
  let left = tile % across * $COLUMNSu;
  let n = params.width;
  // Rows and inputs past the end repeat the last one, and are not stored.
  // #repeat i 16
  let d$i = p * params.dOutStride + min(row + $iu, rows - 1u) * n;
  // #end
  // #repeat c COLUMNS
  let first$c = p * params.weightStride + params.weightOffset + min(left + $cu, k - 1u) * 4u * n;
  var sum$c: array<vec4f, 16>;
  // #end
  var step = 0u;
  loop {
    // #repeat c COLUMNS
    let w$c = first$c + step;
    let weight$c = mat4x4f(
      wide(weight[w$c]),
      wide(weight[w$c + n]),
      wide(weight[w$c + 2u * n]),
      wide(weight[w$c + 3u * n]),
    );
    // #end
    // #repeat i 16
    let dOut$i = dOut[d$i + step];
    // #repeat c COLUMNS
    sum$c[$i] += dOut$i * weight$c;
    // #end
    // #end
    continuing {
      step++;
      break if step == n;
    }
  }
  var i = 0u;
  loop {
    let at = (row + i) * k + left;
    // #repeat c COLUMNS
    if (row + i < rows && left + $cu < k) {
      var value$c = sum$c[i];
      // #repeat a ACTIVATED
      value$c *= activateGradient(x[p * params.xStride + at + $cu], params.activation);
      // #end
      // #repeat a ACCUMULATE
      value$c += dx[p * params.dxStride + at + $cu];
      // #end
      dx[p * params.dxStride + at + $cu] = value$c;
    }
    // #end
    continuing {
      i++;
      break if i == 16u;
    }
  }
}
