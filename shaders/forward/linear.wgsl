// Multiplies rows by a layer’s weights and adds its biases.
// out (=|+=) act(x)·weight + bias. x [P,R,K], weight [K,N], bias [N], out [P,R,N].
// The barrier-free variant, for software adapters: one thread computes 8 rows × 16 columns as 2 × 4 matrices, 4 steps
// of K at a time; a workgroup is 64 neighbouring tiles. Sizes: ACTIVATION.
// Floor: 2·R·K·N flops, 4·(R·K + K·N + R·N) bytes.
// #include "forward/linear_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.width + 3u) / 4u;
  let tile = lineOf(group) * 64u + lane;
  let row = tile / across * 8u;
  if (row >= rows) { return; }
  let left = tile % across * 4u;
  let n = params.width;
  // Rows and columns past the end repeat the last one, and are not stored.
  // #repeat i 8
  var x$i = p * params.xStride + min(row + $iu, rows - 1u) * params.inner;
  // #end
  // #repeat c 4
  var w$c = p * params.weightStride + params.weightOffset + min(left + $cu, n - 1u);
  var top$c = mat4x4f();
  var bottom$c = mat4x4f();
  // #end
  for (var step = 0u; step < params.inner; step++) {
    let top = mat4x4f(
      activate$ACTIVATION(x[x0]), activate$ACTIVATION(x[x1]),
      activate$ACTIVATION(x[x2]), activate$ACTIVATION(x[x3]));
    let bottom = mat4x4f(
      activate$ACTIVATION(x[x4]), activate$ACTIVATION(x[x5]),
      activate$ACTIVATION(x[x6]), activate$ACTIVATION(x[x7]));
    // #repeat i 8
    x$i++;
    // #end
    // #repeat c 4
    let weight$c = mat4x4f(weight[w$c], weight[w$c + n], weight[w$c + 2u * n], weight[w$c + 3u * n]);
    top$c += weight$c * top;
    bottom$c += weight$c * bottom;
    w$c += 4u * n;
    // #end
  }
  for (var i = 0u; i < 4u; i++) {
    // #repeat c 4
    store(p, rows, row + i, left + $cu, top$c[i]);
    store(p, rows, row + 4u + i, left + $cu, bottom$c[i]);
    // #end
  }
}
