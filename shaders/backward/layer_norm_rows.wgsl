// Gradient of a layer norm, or of an RMS norm, by two rows of what it normalised, from `first` on: as
// backward/layer_norm_input.wgsl, with 32 threads a row and sums that are a fixed tree. Every thread of the workgroup
// calls it.
// #include "lib/row_sum.wgsl"

fn byRows(p: u32, first: u32, lane: u32) {
  let rows = rowCount(p);
  if (first >= rows) { return; }
  // A row past the end repeats the last one, and is not stored.
  let r = min(first + lane / 32u, rows - 1u);
  let width = params.width;
  let fromOut = p * params.dOutStride + r * width;
  let fromX = p * params.xStride + r * width;
  let g = p * params.gammaStride + params.gammaOffset;
  let s = p * params.statsStride + 2u * r;
  let mean = stats[s];
  let rstd = stats[s + 1u];
  var sum = vec4f();
  var product = vec4f();
  for (var c = lane % 32u; c < width; c += 32u) {
    let d = dOut[fromOut + c] * gamma[g + c];
    sum += d;
    product += d * ((x[fromX + c] - mean) * rstd);
  }
  let means = rowSum(lane, vec2f(total(sum), total(product))) / f32(4u * width);
  if (first + lane / 32u >= rows) { return; }
  let meanSum = select(0.0, means.x, params.centred != 0u);
  for (var c = lane % 32u; c < width; c += 32u) {
    let normal = (x[fromX + c] - mean) * rstd;
    var value = rstd * (dOut[fromOut + c] * gamma[g + c] - meanSum - normal * means.y);
    let to = p * params.dxStride + r * width + c;
    if (params.accumulate != 0u) { value += dx[to]; }
    dx[to] = value;
  }
}
