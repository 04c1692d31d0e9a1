// Multiplies rows by a layer’s weights and adds its biases.
// out = act(x)·weight + bias (+ residual). x [P,R,K], weight [K,N], bias [N], out and residual [P,R,N].
// The barrier-free variant, for software adapters: one thread computes 16 rows × 4·COLUMNS columns, 4 steps of K at a
// time; a workgroup is 8 neighbouring tiles. Sizes: COLUMNS, ACTIVATION, RESIDUAL (1: + residual) and a type's.
// Floor: 2·R·K·N flops, 4·(R·K + K·N + R·N) bytes.
// #include "forward/linear_bindings.wgsl"

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let rows = rowCount(p);
  let across = (params.width + $COLUMNSu - 1u) / $COLUMNSu;
  let tile = lineOf(group) * 8u + lane;
  let row = tile / across * 16u;
  if (row >= rows) { return; }
  let left = tile % across * $COLUMNSu;
  let n = params.width;
  // Rows and columns past the end repeat the last one, and are not stored.
  // #repeat i 16
  let x$i = p * params.xStride + min(row + $iu, rows - 1u) * params.inner;
  // #end
  // #repeat c COLUMNS
  let column$c = min(left + $cu, n - 1u);
  var sum$c: array<vec4f, 16>;
  // #end
  var step = 0u;
  loop {
    let w = p * params.weightStride + params.weightOffset + 4u * step * n;
    // #repeat c COLUMNS
    let w$c = w + column$c;
    let weight$c = transpose(
      mat4x4f(wide(weight[w$c]), wide(weight[w$c + n]), wide(weight[w$c + 2u * n]), wide(weight[w$c + 3u * n])),
    );
    // #end
    // #repeat i 16
    let input$i = activate$ACTIVATION(x[x$i + step]);
    // #repeat c COLUMNS
    sum$c[$i] += input$i * weight$c;
    // #end
    // #end
    continuing {
      step++;
      break if step == params.inner;
    }
  }
  let b = p * params.biasStride + params.biasOffset;
  // #repeat c COLUMNS
  let bias$c = select(vec4f(), bias[b + column$c], params.hasBias != 0u);
  // #end
  var i = 0u;
  loop {
    let at = (row + i) * n + left;
    // #repeat c COLUMNS
    if (row + i < rows && left + $cu < n) {
      var value$c = sum$c[i] + bias$c;
      // #repeat a RESIDUAL
      value$c += residual[p * params.residualStride + at + $cu];
      // #end
      out[p * params.outStride + at + $cu] = value$c;
    }
    // #end
    continuing {
      i++;
      break if i == 16u;
    }
  }
}
