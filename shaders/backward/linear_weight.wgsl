// Gradient of a linear layer by its weights and biases.
// Per chunk of 16 trajectories: dWeight = act(x)ᵀ·dOut, dBias = Σ dOut over the chunk's rows. x [P,R,K], dOut [P,R,N],
// partials [P,chunks,parameters]. The barrier-free variant, for software adapters: one thread computes 8 inputs × 16
// columns as 2 × 4 matrices, 4 rows at a time; a workgroup is 64 neighbouring tiles. Sizes: ACTIVATION.
// Floor: 2·R·K·N flops, 4·(R·K + R·N + chunks·K·N) bytes.
// #include "backward/linear_weight_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let n = params.width;
  let k = params.inner;
  let across = (n + 3u) / 4u;
  let down = (k + 1u) / 2u;
  let tile = lineOf(group) * 64u + lane;
  let chunk = tile / (across * down);
  if (chunk >= params.chunks) { return; }
  let left = tile % across * 4u;
  let upper = tile / across % down * 2u;
  let lower = min(upper + 1u, k - 1u);
  let rows = chunkRows(p, chunk);
  // #repeat c 4
  var top$c = mat4x4f();
  var bottom$c = mat4x4f();
  let d$c = p * params.dOutStride + min(left + $cu, n - 1u);
  // #end
  var row = rows.x;
  for (; row + 3u < rows.y; row += 4u) {
    let u = p * params.xStride + row * k + upper;
    let l = p * params.xStride + row * k + lower;
    let top = transpose(mat4x4f(
      activate$ACTIVATION(x[u]), activate$ACTIVATION(x[u + k]),
      activate$ACTIVATION(x[u + 2u * k]), activate$ACTIVATION(x[u + 3u * k])));
    let bottom = transpose(mat4x4f(
      activate$ACTIVATION(x[l]), activate$ACTIVATION(x[l + k]),
      activate$ACTIVATION(x[l + 2u * k]), activate$ACTIVATION(x[l + 3u * k])));
    // #repeat c 4
    let at$c = d$c + row * n;
    let dOut$c = mat4x4f(dOut[at$c], dOut[at$c + n], dOut[at$c + 2u * n], dOut[at$c + 3u * n]);
    top$c += dOut$c * top;
    bottom$c += dOut$c * bottom;
    // #end
  }
  for (; row < rows.y; row++) {
    let top = activate$ACTIVATION(x[p * params.xStride + row * k + upper]);
    let bottom = activate$ACTIVATION(x[p * params.xStride + row * k + lower]);
    // #repeat c 4
    let dOut$c = dOut[d$c + row * n];
    top$c += mat4x4f(dOut$c * top.x, dOut$c * top.y, dOut$c * top.z, dOut$c * top.w);
    bottom$c += mat4x4f(dOut$c * bottom.x, dOut$c * bottom.y, dOut$c * bottom.z, dOut$c * bottom.w);
    // #end
  }

  let to = p * params.partialsStride + chunk * params.chunkStride;
  let at = to + params.weightOffset + upper * 4u * n + left;
  // #repeat c 4
  if (left + $cu < n) {
    for (var i = 0u; i < 4u; i++) {
      partials[at + i * n + $cu] = top$c[i];
      if (upper + 1u < k) { partials[at + (4u + i) * n + $cu] = bottom$c[i]; }
    }
  }
  // #end
  if (params.hasBias == 0u || upper != 0u) { return; }
  // #repeat c 4
  var bias$c = vec4f();
  // #end
  for (row = rows.x; row < rows.y; row++) {
    // #repeat c 4
    bias$c += dOut[d$c + row * n];
    // #end
  }
  // #repeat c 4
  if (left + $cu < n) { partials[to + params.biasOffset + left + $cu] = bias$c; }
  // #end
}
