// dx (=|+=) (dOut·weightᵀ) ⊙ act′(x). dOut [P,R,N], weight [K,N], x, dx [P,R,K]. The barrier-free variant, for software
// adapters: one thread computes 8 rows × 8 inputs as four 4×4 matrices, 4 columns of N at a time; a workgroup is 64
// neighbouring tiles. Floor: 2·R·K·N flops, 4·(R·N + K·N + 2·R·K) bytes.
// #include "linear_backward_input_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.inner + 1u) / 2u;
  let tile = lineOf(group) * 64u + lane;
  let row = tile / across * 8u;
  if (row >= rows) { return; }
  let left = tile % across * 2u;
  let last = rows - 1u;
  let n = params.width;
  let base = p * params.dOutStride;
  // #repeat i 8
  var d$i = base + min(row + $iu, last) * n;
  // #end
  var l = p * params.weightStride + params.weightOffset + left * 4u * n;
  var r = select(l, l + 4u * n, left + 1u < params.inner);
  var topLeft = mat4x4f();
  var topRight = mat4x4f();
  var bottomLeft = mat4x4f();
  var bottomRight = mat4x4f();
  for (var step = 0u; step < n; step++) {
    let top = mat4x4f(dOut[d0], dOut[d1], dOut[d2], dOut[d3]);
    let bottom = mat4x4f(dOut[d4], dOut[d5], dOut[d6], dOut[d7]);
    let weightLeft = transpose(mat4x4f(weight[l], weight[l + n], weight[l + 2u * n], weight[l + 3u * n]));
    topLeft += weightLeft * top;
    bottomLeft += weightLeft * bottom;
    let weightRight = transpose(mat4x4f(weight[r], weight[r + n], weight[r + 2u * n], weight[r + 3u * n]));
    topRight += weightRight * top;
    bottomRight += weightRight * bottom;
    l++;
    r++;
    // #repeat i 8
    d$i++;
    // #end
  }
  // #repeat i 4
  store(p, rows, row + $iu, left, topLeft[$i]);
  store(p, rows, row + $iu, left + 1u, topRight[$i]);
  store(p, rows, row + 4u + $iu, left, bottomLeft[$i]);
  store(p, rows, row + 4u + $iu, left + 1u, bottomRight[$i]);
  // #end
}
