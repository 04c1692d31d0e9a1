// Per chunk of 16 trajectories: dWeight = act(x)ᵀ·dOut, dBias = Σ dOut over the chunk's rows.
// x [P,R,K], dOut [P,R,N], partials [P,chunks,parameters]. The barrier-free variant, for software adapters: one thread
// computes 8 inputs × 8 columns as four 4×4 matrices, 4 rows at a time; a workgroup is 64 neighbouring tiles.
// Floor: 2·R·K·N flops, 4·(R·K + R·N + chunks·K·N) bytes.
// #include "linear_backward_weight_bindings.wgsl"

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let n = params.width;
  let k = params.inner;
  let across = (n + 1u) / 2u;
  let down = (k + 1u) / 2u;
  let tile = lineOf(group) * 64u + lane;
  let chunk = tile / (across * down);
  if (chunk >= params.chunks) { return; }
  let left = tile % across * 2u;
  let top = tile / across % down * 2u;
  let right = min(left + 1u, n - 1u);
  let bottom = min(top + 1u, k - 1u);
  let rows = chunkRows(p, chunk);
  let xAt = p * params.xStride;
  let dAt = p * params.dOutStride;
  let kind = params.activation;
  var topLeft = mat4x4f();
  var topRight = mat4x4f();
  var bottomLeft = mat4x4f();
  var bottomRight = mat4x4f();
  var biasLeft = vec4f();
  var biasRight = vec4f();
  for (var row = rows.x; row < rows.y; row += 4u) {
    // Rows past the end repeat the last one, and their dOut counts as zero.
    let last = rows.y - 1u;
    // #repeat i 4
    let r$i = min(row + $iu, last);
    // #end
    var xTop = mat4x4f(x[xAt + r0 * k + top], x[xAt + r1 * k + top], x[xAt + r2 * k + top], x[xAt + r3 * k + top]);
    var xBottom = mat4x4f(
      x[xAt + r0 * k + bottom], x[xAt + r1 * k + bottom], x[xAt + r2 * k + bottom], x[xAt + r3 * k + bottom]);
    if (kind != 0u) {
      xTop = activate4(xTop, kind);
      xBottom = activate4(xBottom, kind);
    }
    xTop = transpose(xTop);
    xBottom = transpose(xBottom);
    var d = mat4x4f(
      dOut[dAt + r0 * n + left], dOut[dAt + r1 * n + left], dOut[dAt + r2 * n + left], dOut[dAt + r3 * n + left]);
    var e = mat4x4f(
      dOut[dAt + r0 * n + right], dOut[dAt + r1 * n + right], dOut[dAt + r2 * n + right], dOut[dAt + r3 * n + right]);
    if (row + 3u > last) {
      // #repeat i 4
      if (row + $iu > last) {
        d[$i] = vec4f();
        e[$i] = vec4f();
      }
      // #end
    }
    topLeft += d * xTop;
    bottomLeft += d * xBottom;
    topRight += e * xTop;
    bottomRight += e * xBottom;
    biasLeft += (d[0] + d[1]) + (d[2] + d[3]);
    biasRight += (e[0] + e[1]) + (e[2] + e[3]);
  }
  let to = p * params.partialsStride + chunk * params.chunkStride;
  let at = to + params.weightOffset + top * 4u * n + left;
  let hasRight = left + 1u < n;
  let hasBottom = top + 1u < k;
  // #repeat i 4
  partials[at + $iu * n] = topLeft[$i];
  if (hasRight) { partials[at + $iu * n + 1u] = topRight[$i]; }
  if (hasBottom) { partials[at + (4u + $iu) * n] = bottomLeft[$i]; }
  if (hasRight && hasBottom) { partials[at + (4u + $iu) * n + 1u] = bottomRight[$i]; }
  // #end
  if (params.hasBias != 0u && top == 0u) {
    partials[to + params.biasOffset + left] = biasLeft;
    if (hasRight) { partials[to + params.biasOffset + left + 1u] = biasRight; }
  }
}
