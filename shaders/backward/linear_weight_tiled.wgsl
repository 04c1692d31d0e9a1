// Gradient of a linear layer by its weights and biases, on GPUs.
// dWeight = act(x)ᵀ·dOut and dBias = Σ dOut per chunk, as backward/linear_weight.wgsl, for GPUs: a workgroup of 16 × 16
// threads computes 64 inputs × 64 columns of one chunk from tiles of 16 rows in workgroup memory; a thread holds 4 × 4.
// Floor: 2·R·K·N flops, 4·(R·K·N/64 + R·N·K/64 + chunks·K·N) bytes.
// #include "backward/linear_weight_bindings.wgsl"

var<workgroup> xTile: array<vec4f, 256>; // 16 rows × 16 quads of K
var<workgroup> dOutTile: array<vec4f, 256>; // 16 rows × 16 quads of N

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let n = params.width;
  let k = params.inner;
  let across = (n + 15u) / 16u;
  let down = (k + 15u) / 16u;
  let tile = lineOf(group);
  let chunk = tile / (across * down);
  if (chunk >= params.chunks) { return; }
  let column = tile % across * 16u;
  let input = tile / across % down * 16u;
  let tx = lane % 16u;
  let ty = lane / 16u;
  let rows = chunkRows(p, chunk);
  let xAt = p * params.xStride + min(input + tx, k - 1u);
  let dAt = p * params.dOutStride + min(column + tx, n - 1u);
  var sum = mat4x4f();
  var bias = vec4f();
  for (var row = rows.x; row < rows.y; row += 16u) {
    var a = vec4f();
    var d = vec4f();
    if (row + ty < rows.y) {
      a = activate(x[xAt + (row + ty) * k], params.activation);
      d = dOut[dAt + (row + ty) * n];
    }
    xTile[lane] = a;
    dOutTile[lane] = d;
    workgroupBarrier();
    for (var q = 0u; q < 256u; q += 64u) {
      let left = mat4x4f(dOutTile[q + tx], dOutTile[q + tx + 16u], dOutTile[q + tx + 32u], dOutTile[q + tx + 48u]);
      sum += left * transpose(mat4x4f(xTile[q + ty], xTile[q + ty + 16u], xTile[q + ty + 32u], xTile[q + ty + 48u]));
      bias += (left[0] + left[1]) + (left[2] + left[3]);
    }
    workgroupBarrier();
  }
  if (column + tx >= n || input + ty >= k) { return; }
  let to = p * params.partialsStride + chunk * params.chunkStride;
  let at = to + params.weightOffset + (input + ty) * 4u * n + column + tx;
  // #repeat i 4
  partials[at + $iu * n] = sum[$i];
  // #end
  if (params.hasBias != 0u && input == 0u && ty == 0u) { partials[to + params.biasOffset + column + tx] = bias; }
}
