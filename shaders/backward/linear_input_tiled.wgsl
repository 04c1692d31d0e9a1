// Gradient of a linear layer by its input, on GPUs.
// dx (=|+=) (dOut·weightᵀ) ⊙ act′(x), as backward/linear_input.wgsl, for GPUs: a workgroup of 16 × 16 threads computes
// 64 rows × 64 inputs from tiles of 16 columns of N in workgroup memory; each thread holds 4 × 4.
// Floor: 2·R·K·N flops, 4·(R·N·K/64 + K·N·R/64 + 2·R·K) bytes.
// #include "backward/linear_input_bindings.wgsl"

var<workgroup> dOutTile: array<vec4f, 256>; // 64 rows × 4 quads of N
var<workgroup> weightTile: array<vec4f, 320>; // 4 × 16 inputs × 4 quads of N; inputs lie 5 quads apart, in other banks

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.inner) { return; }
  let i = row * params.inner + column;
  let at = p * params.dxStride + i;
  var value = sum;
  if (params.activation != 0u) { value *= activateGradient(x[p * params.xStride + i], params.activation); }
  if (params.accumulate != 0u) { value += dx[at]; }
  dx[at] = value;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.inner + 15u) / 16u;
  let tile = lineOf(group);
  let row = tile / across * 64u;
  if (row >= rows) { return; }
  let column = tile % across * 16u;
  let tx = lane % 16u;
  let ty = lane / 16u;
  let n = params.width;
  let item = lane / 4u;
  let quad = lane % 4u;
  let dAt = p * params.dOutStride + min(row + item, rows - 1u) * n;
  let input = min(column * 4u + item, params.inner * 4u - 1u);
  let wAt = p * params.weightStride + params.weightOffset + input * n;
  // Input 4a + b of the tile lies at 16b + a, so that the 16 threads of a row read neighbours.
  let wTo = ((item % 4u) * 16u + item / 4u) * 5u + quad;
  var sum = mat4x4f();
  for (var step = 0u; step < n; step += 4u) {
    var d = vec4f();
    var w = vec4f();
    if (step + quad < n) {
      d = dOut[dAt + step + quad];
      w = weight[wAt + step + quad];
    }
    dOutTile[lane] = d;
    weightTile[wTo] = w;
    workgroupBarrier();
    for (var q = 0u; q < 4u; q++) {
      let a = ty * 16u + q;
      let b = tx * 5u + q;
      sum += transpose(mat4x4f(weightTile[b], weightTile[b + 80u], weightTile[b + 160u], weightTile[b + 240u])) *
        mat4x4f(dOutTile[a], dOutTile[a + 4u], dOutTile[a + 8u], dOutTile[a + 12u]);
    }
    workgroupBarrier();
  }
  // #repeat i 4
  store(p, rows, row + 4u * ty + $iu, column + tx, sum[$i]);
  // #end
}
