// Normalises each row, then scales and shifts it, on GPUs, from 128 channels on.
// forward/layer_norm.wgsl with 32 threads a row, neighbours at neighbouring channels: their sums are a fixed tree.
// Where a product follows that normalises what it reads (forward/norm_linear_tiled.wgsl), stats alone are written.
// Floor: 8·R·C bytes, 8·R·C flops; 4·R·C of either for stats alone.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/row_sum.wgsl"

// #write out: vec4f; stats: f32
// #read x, gamma, beta: vec4f
// #params width (C / 4), gammaOffset, betaOffset, centred, writes (0: stats alone): u32; epsilon: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let rows = rowCount(p);
  let first = lineOf(group) * 2u;
  if (first >= rows) { return; }
  // A row past the end repeats the last one, and is not stored.
  let r = min(first + lane / 32u, rows - 1u);
  let width = params.width;
  let base = p * params.xStride + r * width;
  let channels = f32(4u * width);
  var mean = 0.0;
  if (params.centred != 0u) {
    var sum = vec4f();
    for (var c = lane % 32u; c < width; c += 32u) { sum += x[base + c]; }
    mean = rowSum(lane, vec2f(total(sum), 0.0)).x / channels;
  }
  var squares = vec4f();
  for (var c = lane % 32u; c < width; c += 32u) {
    let d = x[base + c] - mean;
    squares += d * d;
  }
  let rstd = 1.0 / sqrt(rowSum(lane, vec2f(total(squares), 0.0)).x / channels + params.epsilon);
  if (first + lane / 32u >= rows) { return; }
  if (lane % 32u == 0u) {
    let s = p * params.statsStride + 2u * r;
    stats[s] = mean;
    stats[s + 1u] = rstd;
  }
  if (params.writes == 0u) { return; }
  let g = p * params.gammaStride + params.gammaOffset;
  let b = p * params.betaStride + params.betaOffset;
  for (var c = lane % 32u; c < width; c += 32u) {
    var value = gamma[g + c] * ((x[base + c] - mean) * rstd);
    if (params.centred != 0u) { value += beta[b + c]; }
    out[p * params.outStride + r * width + c] = value;
  }
}
