// Multiplies rows by a layer’s weights and adds its biases, on GPUs.
// out = act(x)·weight + bias (+ residual), as forward/linear.wgsl, for GPUs: a workgroup of 16 × 16 threads computes
// 64 rows × 64 columns from tiles of 16 steps of K in workgroup memory; each thread holds 4 × 4. The activation is
// taken once per tile. Floor: 2·R·K·N flops, 4·(R·K·N/64 + K·N·R/64 + R·N) bytes.
// #include "forward/linear_bindings.wgsl"

var<workgroup> xTile: array<vec4f, 256>; // 64 rows × 4 quads of K
var<workgroup> weightTile: array<vec4f, 256>; // 16 steps of K × 16 quads of N

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.width) { return; }
  let at = row * params.width + column;
  var value = sum;
  if (params.hasBias != 0u) { value += bias[p * params.biasStride + params.biasOffset + column]; }
  if (params.hasResidual != 0u) { value += residual[p * params.residualStride + at]; }
  out[p * params.outStride + at] = value;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.width + 15u) / 16u;
  let tile = lineOf(group);
  let row = tile / across * 64u;
  if (row >= rows) { return; }
  let column = tile % across * 16u;
  let tx = lane % 16u;
  let ty = lane / 16u;
  let k = params.inner;
  let xRow = row + lane / 4u;
  let xQuad = lane % 4u;
  let xAt = p * params.xStride + min(xRow, rows - 1u) * k;
  let wAt = p * params.weightStride + params.weightOffset + min(column + tx, params.width - 1u);
  var sum = mat4x4f();
  for (var step = 0u; step < k; step += 4u) {
    var value = vec4f();
    if (step + xQuad < k) { value = activate(x[xAt + step + xQuad], params.activation); }
    xTile[lane] = value;
    value = vec4f();
    if (step * 4u + ty < k * 4u) { value = weight[wAt + (step * 4u + ty) * params.width]; }
    weightTile[lane] = value;
    workgroupBarrier();
    for (var q = 0u; q < 4u; q++) {
      let a = ty * 16u + q;
      let b = q * 64u + tx;
      sum += mat4x4f(weightTile[b], weightTile[b + 16u], weightTile[b + 32u], weightTile[b + 48u]) *
        mat4x4f(xTile[a], xTile[a + 4u], xTile[a + 8u], xTile[a + 12u]);
    }
    workgroupBarrier();
  }
  // #repeat i 4
  store(p, rows, row + 4u * ty + $iu, column + tx, sum[$i]);
  // #end
}
