// Gradient of a linear layer by its input, on GPUs.
// dx (=|+=) (dOut·weightᵀ) ⊙ act′(x), as backward/linear_input.wgsl, for GPUs: a workgroup of SIDE × SIDE threads
// computes 4·SIDE rows × 4·SIDE inputs from tiles of SIDE columns of N in workgroup memory; each thread holds 4 × 4.
// Sizes: SIDE (16; 8 where 64 inputs would be empty by half) and a type's.
// Floor: 2·R·K·N flops, 4·(R·N·K/(4·SIDE) + K·N·R/(4·SIDE) + 2·R·K) bytes.
// #include "backward/linear_input_bindings.wgsl"
// #include "lib/side.wgsl"

// Quads between two inputs, which so lie in other banks.
const APART = QUADS + 1u;

var<workgroup> dOutTile: array<vec4f, SIDE * SIDE>; // 4·SIDE rows × QUADS of N
var<workgroup> weightTile: array<vec4f, 4 * SIDE * APART>; // 4 × SIDE inputs × QUADS of N

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.inner) { return; }
  let i = row * params.inner + column;
  let at = p * params.dxStride + i;
  var value = sum;
  if (params.activation != 0u) { value *= activateGradient(x[p * params.xStride + i], params.activation); }
  if (params.accumulate != 0u) { value += dx[at]; }
  dx[at] = value;
}

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let rows = rowCount(p);
  let across = (params.inner + SIDE - 1u) / SIDE;
  let tile = lineOf(group);
  let row = tile / across * 4u * SIDE;
  if (row >= rows) { return; }
  let column = tile % across * SIDE;
  let tx = lane % SIDE;
  let ty = lane / SIDE;
  let n = params.width;
  let item = lane / QUADS;
  let quad = lane % QUADS;
  let dAt = p * params.dOutStride + min(row + item, rows - 1u) * n;
  let input = min(column * 4u + item, params.inner * 4u - 1u);
  let wAt = p * params.weightStride + params.weightOffset + input * n;
  // Input 4a + b of the tile lies at SIDE·b + a, so that the threads of a row read neighbours.
  let wTo = ((item % 4u) * SIDE + item / 4u) * APART + quad;
  var sum = mat4x4f();
  for (var step = 0u; step < n; step += QUADS) {
    var d = vec4f();
    var w = vec4f();
    if (step + quad < n) {
      d = dOut[dAt + step + quad];
      w = wide(weight[wAt + step + quad]);
    }
    dOutTile[lane] = d;
    weightTile[wTo] = w;
    workgroupBarrier();
    for (var q = 0u; q < QUADS; q++) {
      let a = ty * SIDE + q;
      let b = tx * APART + q;
      let next = SIDE * APART;
      let w = mat4x4f(weightTile[b], weightTile[b + next], weightTile[b + 2u * next], weightTile[b + 3u * next]);
      sum += transpose(w) *
        mat4x4f(dOutTile[a], dOutTile[a + QUADS], dOutTile[a + 2u * QUADS], dOutTile[a + 3u * QUADS]);
    }
    workgroupBarrier();
  }
  // #repeat i 4
  store(p, rows, row + 4u * ty + $iu, column + tx, sum[$i]);
  // #end
}
