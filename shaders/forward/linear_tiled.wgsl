// Multiplies rows by a layer’s weights and adds its biases, on GPUs.
// out = act(x)·weight + bias (+ residual), as forward/linear.wgsl, for GPUs: a workgroup of SIDE × SIDE threads
// computes 4·SIDE rows × 4·SIDE columns from tiles of SIDE steps of K in workgroup memory; each thread holds 4 × 4. The
// activation is taken once per tile. Sizes: SIDE (16; 8 where 64 columns would be empty by half) and a type's.
// Floor: 2·R·K·N flops, 4·(R·K·N/(4·SIDE) + K·N·R/(4·SIDE) + R·N) bytes.
// #include "forward/linear_bindings.wgsl"

// A workgroup's threads a side, 4 rows and 4 columns each, and quads of a step: 16 and 4, or 8 and 2.
const SIDE = $SIDEu;
const QUADS = SIDE / 4u;

var<workgroup> xTile: array<vec4f, SIDE * SIDE>; // 4·SIDE rows × QUADS of K
var<workgroup> weightTile: array<vec4f, SIDE * SIDE>; // SIDE steps of K × SIDE quads of N

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.width) { return; }
  let at = row * params.width + column;
  var value = sum;
  if (params.hasBias != 0u) { value += bias[p * params.biasStride + params.biasOffset + column]; }
  if (params.hasResidual != 0u) { value += residual[p * params.residualStride + at]; }
  out[p * params.outStride + at] = value;
}

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let rows = rowCount(p);
  let across = (params.width + SIDE - 1u) / SIDE;
  let tile = lineOf(group);
  let row = tile / across * 4u * SIDE;
  if (row >= rows) { return; }
  let column = tile % across * SIDE;
  let tx = lane % SIDE;
  let ty = lane / SIDE;
  let k = params.inner;
  let xRow = row + lane / QUADS;
  let xQuad = lane % QUADS;
  let xAt = p * params.xStride + min(xRow, rows - 1u) * k;
  let wAt = p * params.weightStride + params.weightOffset + min(column + tx, params.width - 1u);
  var sum = mat4x4f();
  for (var step = 0u; step < k; step += QUADS) {
    var value = vec4f();
    if (step + xQuad < k) { value = activate(x[xAt + step + xQuad], params.activation); }
    xTile[lane] = value;
    value = vec4f();
    if (step * 4u + ty < k * 4u) { value = wide(weight[wAt + (step * 4u + ty) * params.width]); }
    weightTile[lane] = value;
    workgroupBarrier();
    for (var q = 0u; q < QUADS; q++) {
      let a = ty * SIDE + q;
      let b = q * 4u * SIDE + tx;
      sum += mat4x4f(weightTile[b], weightTile[b + SIDE], weightTile[b + 2u * SIDE], weightTile[b + 3u * SIDE]) *
        mat4x4f(xTile[a], xTile[a + QUADS], xTile[a + 2u * QUADS], xTile[a + 3u * QUADS]);
    }
    workgroupBarrier();
  }
  // #repeat i 4
  store(p, rows, row + 4u * ty + $iu, column + tx, sum[$i]);
  // #end
}
