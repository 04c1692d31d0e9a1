// out (=|+=) act(x)·weight + bias. x [P,R,K], weight [K,N], bias [N], out [P,R,N].
// The barrier-free variant, for software adapters: one thread computes 8 rows × 8 columns as four 4×4 matrices, 4 steps
// of K at a time; a workgroup is 64 neighbouring tiles. Floor: 2·R·K·N flops, 4·(R·K + K·N + R·N) bytes.
// #include "linear_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.width + 1u) / 2u;
  let tile = lineOf(group) * 64u + lane;
  let row = tile / across * 8u;
  if (row >= rows) { return; }
  let left = tile % across * 2u;
  let right = min(left + 1u, params.width - 1u);
  let last = rows - 1u;
  let n = params.width;
  let k = params.inner;
  let base = p * params.xStride;
  // #repeat i 8
  var x$i = base + min(row + $iu, last) * k;
  // #end
  var w = p * params.weightStride + params.weightOffset;
  var topLeft = mat4x4f();
  var topRight = mat4x4f();
  var bottomLeft = mat4x4f();
  var bottomRight = mat4x4f();
  for (var step = 0u; step < k; step++) {
    var top = mat4x4f(x[x0], x[x1], x[x2], x[x3]);
    var bottom = mat4x4f(x[x4], x[x5], x[x6], x[x7]);
    if (params.activation != 0u) {
      let kind = params.activation;
      top = activate4(top, kind);
      bottom = activate4(bottom, kind);
    }
    let l = w + left;
    let r = w + right;
    let weightLeft = mat4x4f(weight[l], weight[l + n], weight[l + 2u * n], weight[l + 3u * n]);
    topLeft += weightLeft * top;
    bottomLeft += weightLeft * bottom;
    let weightRight = mat4x4f(weight[r], weight[r + n], weight[r + 2u * n], weight[r + 3u * n]);
    topRight += weightRight * top;
    bottomRight += weightRight * bottom;
    w += 4u * n;
    // #repeat i 8
    x$i++;
    // #end
  }
  // #repeat i 4
  store(p, rows, row + $iu, left, topLeft[$i]);
  store(p, rows, row + $iu, left + 1u, topRight[$i]);
  store(p, rows, row + 4u + $iu, left, bottomLeft[$i]);
  store(p, rows, row + 4u + $iu, left + 1u, bottomRight[$i]);
  // #end
}
