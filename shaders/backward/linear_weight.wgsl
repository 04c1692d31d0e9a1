// Gradient of a linear layer by its weights and biases.
// Per chunk of 16 trajectories: dWeight = act(x)ᵀ·dOut, dBias = Σ dOut over the chunk's rows. x [P,R,K], dOut [P,R,N],
// partials [P,chunks,parameters]. The barrier-free variant, for software adapters: one thread computes 16 inputs ×
// 4·COLUMNS columns, 4 rows at a time; a workgroup is 8 neighbouring tiles. Sizes: COLUMNS, ACTIVATION.
// Floor: 2·R·K·N flops, 4·(R·K + R·N + chunks·K·N) bytes.
// #include "backward/linear_weight_bindings.wgsl"

@compute @workgroup_size(8)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let n = params.width;
  let k = params.inner;
  let across = (n + $COLUMNSu - 1u) / $COLUMNSu;
  let down = (k + 3u) / 4u;
  let tile = lineOf(group) * 8u + lane;
  let chunk = tile / (across * down);
  if (chunk >= params.chunks) { return; }
  let left = tile % across * $COLUMNSu;
  let upper = tile / across % down * 4u;
  let rows = chunkRows(p, chunk);
  // Inputs and columns past the end repeat the last one, and are not stored.
  // #repeat c COLUMNS
  let input$c = p * params.xStride + min(upper + $cu, k - 1u);
  let column$c = p * params.dOutStride + min(left + $cu, n - 1u);
  var sum$c: array<vec4f, 16>;
  // #end
  var row = rows.x;
  while (row + 3u < rows.y) {
    // #repeat c COLUMNS
    let d$c = column$c + row * n;
    let dOut$c = transpose(mat4x4f(dOut[d$c], dOut[d$c + n], dOut[d$c + 2u * n], dOut[d$c + 3u * n]));
    // #end
    // #repeat r 4
    let at$r = input$r + row * k;
    let x$r = transpose(mat4x4f(
      activate$ACTIVATION(x[at$r]), activate$ACTIVATION(x[at$r + k]),
      activate$ACTIVATION(x[at$r + 2u * k]), activate$ACTIVATION(x[at$r + 3u * k])));
    // #repeat i 4
    // #repeat c COLUMNS
    sum$c[4 * $r + $i] += x$r[$i] * dOut$c;
    // #end
    // #end
    // #end
    row += 4u;
  }
  while (row < rows.y) {
    // #repeat c COLUMNS
    let d$c = dOut[column$c + row * n];
    // #end
    // #repeat r 4
    let x$r = activate$ACTIVATION(x[input$r + row * k]);
    // #repeat i 4
    // #repeat c COLUMNS
    sum$c[4 * $r + $i] += x$r[$i] * d$c;
    // #end
    // #end
    // #end
    row++;
  }
  let to = p * params.partialsStride + chunk * params.chunkStride;
  let at = to + params.weightOffset + upper * 4u * n + left;
  for (var i = 0u; i < min(16u, 4u * (k - upper)); i++) {
    // #repeat c COLUMNS
    if (left + $cu < n) { partials[at + i * n + $cu] = sum$c[i]; }
    // #end
  }
  if (params.hasBias == 0u || upper != 0u) { return; }
  // #repeat c COLUMNS
  var bias$c = vec4f();
  // #end
  for (row = rows.x; row < rows.y; row++) {
    // #repeat c COLUMNS
    bias$c += dOut[column$c + row * n];
    // #end
  }
  // #repeat c COLUMNS
  if (left + $cu < n) { partials[to + params.biasOffset + left + $cu] = bias$c; }
  // #end
}
