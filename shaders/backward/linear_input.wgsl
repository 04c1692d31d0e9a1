// Gradient of a linear layer by its input.
// dx (=|+=) (dOut·weightᵀ) ⊙ act′(x). dOut [P,R,N], weight [K,N], x, dx [P,R,K]. The barrier-free variant, for software
// adapters: one thread computes 8 rows × 16 inputs as 2 × 4 matrices, 4 columns of N at a time; a workgroup is 64
// neighbouring tiles. Floor: 2·R·K·N flops, 4·(R·N + K·N + 2·R·K) bytes.
// #include "backward/linear_input_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.inner + 3u) / 4u;
  let tile = lineOf(group) * 64u + lane;
  let row = tile / across * 8u;
  if (row >= rows) { return; }
  let left = tile % across * 4u;
  let n = params.width;
  // Rows and inputs past the end repeat the last one, and are not stored.
  // #repeat i 8
  var d$i = p * params.dOutStride + min(row + $iu, rows - 1u) * n;
  // #end
  // #repeat c 4
  var w$c = p * params.weightStride + params.weightOffset + min(left + $cu, params.inner - 1u) * 4u * n;
  var top$c = mat4x4f();
  var bottom$c = mat4x4f();
  // #end
  for (var step = 0u; step < n; step++) {
    let top = mat4x4f(dOut[d0], dOut[d1], dOut[d2], dOut[d3]);
    let bottom = mat4x4f(dOut[d4], dOut[d5], dOut[d6], dOut[d7]);
    // #repeat i 8
    d$i++;
    // #end
    // #repeat c 4
    let weight$c = transpose(mat4x4f(weight[w$c], weight[w$c + n], weight[w$c + 2u * n], weight[w$c + 3u * n]));
    top$c += weight$c * top;
    bottom$c += weight$c * bottom;
    w$c++;
    // #end
  }
  for (var i = 0u; i < 4u; i++) {
    // #repeat c 4
    store(p, rows, row + i, left + $cu, top$c[i]);
    store(p, rows, row + 4u + i, left + $cu, bottom$c[i]);
    // #end
  }
}
