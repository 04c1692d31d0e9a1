// Gradient of a linear layer by its weights and biases, on GPUs.
// dWeight = act(x)ᵀ·dOut and dBias = Σ dOut per chunk, as backward/linear_weight.wgsl, for GPUs: a workgroup of
// SIDE × SIDE threads computes 4·SIDE inputs × 4·SIDE columns of one chunk from tiles of SIDE rows in workgroup memory;
// a thread holds 4 × 4. Sizes: SIDE (16; 8 where 64 inputs or columns would be empty by half).
// Floor: 2·R·K·N flops, 4·(R·K·N/(4·SIDE) + R·N·K/(4·SIDE) + chunks·K·N) bytes.
// #include "backward/linear_weight_bindings.wgsl"
// #include "lib/side.wgsl"

var<workgroup> xTile: array<vec4f, SIDE * SIDE>; // SIDE rows × SIDE quads of K
var<workgroup> dOutTile: array<vec4f, SIDE * SIDE>; // SIDE rows × SIDE quads of N

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let n = params.width;
  let k = params.inner;
  let across = (n + SIDE - 1u) / SIDE;
  let down = (k + SIDE - 1u) / SIDE;
  let tile = lineOf(group);
  let chunk = tile / (across * down);
  if (chunk >= params.chunks) { return; }
  let column = tile % across * SIDE;
  let input = tile / across % down * SIDE;
  let tx = lane % SIDE;
  let ty = lane / SIDE;
  let rows = chunkRows(p, chunk);
  let xAt = p * params.xStride + min(input + tx, k - 1u);
  let dAt = p * params.dOutStride + min(column + tx, n - 1u);
  var sum = mat4x4f();
  var bias = vec4f();
  for (var row = rows.x; row < rows.y; row += SIDE) {
    var a = vec4f();
    var d = vec4f();
    if (row + ty < rows.y) {
      a = activate(x[xAt + (row + ty) * k], params.activation);
      d = dOut[dAt + (row + ty) * n];
    }
    xTile[lane] = a;
    dOutTile[lane] = d;
    workgroupBarrier();
    for (var step = 0u; step < QUADS; step++) {
      let q = step * 4u * SIDE;
      let left = mat4x4f(dOutTile[q + tx], dOutTile[q + tx + SIDE], dOutTile[q + tx + 2u * SIDE],
        dOutTile[q + tx + 3u * SIDE]);
      let right = mat4x4f(xTile[q + ty], xTile[q + ty + SIDE], xTile[q + ty + 2u * SIDE], xTile[q + ty + 3u * SIDE]);
      sum += left * transpose(right);
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
