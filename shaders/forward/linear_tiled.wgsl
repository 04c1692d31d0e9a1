// Multiplies rows by a layer’s weights and adds its biases, on GPUs.
// out = act(x)·weight + bias (+ residual), as forward/linear.wgsl, by the tiles of forward/product.wgsl. The
// activation is taken once per tile. Sizes: SIDE (16; 8 where 64 columns would be empty by half) and a type's.
// Floor: 2·R·K·N flops, 4·(R·K·N/(4·SIDE) + K·N·R/(4·SIDE) + R·N) bytes.
// #include "forward/linear_bindings.wgsl"
// #include "forward/product.wgsl"

// Before the tiles, in every thread of the workgroup.
fn prepare(p: u32, rows: u32, row: u32, column: u32, lane: u32) {}

// Quad c of the row `item` below `row`.
fn input(p: u32, rows: u32, row: u32, column: u32, item: u32, c: u32) -> vec4f {
  return activate(x[p * params.xStride + min(row + item, rows - 1u) * params.inner + c], params.activation);
}

fn store(p: u32, rows: u32, row: u32, column: u32, sum: vec4f) {
  if (row >= rows || column >= params.width) { return; }
  let at = row * params.width + column;
  var value = sum;
  if (params.hasBias != 0u) { value += bias[p * params.biasStride + params.biasOffset + column]; }
  if (params.hasResidual != 0u) { value += residual[p * params.residualStride + at]; }
  out[p * params.outStride + at] = value;
}

@compute @workgroup_size(SIDE * SIDE)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) { product(group, lane); }
