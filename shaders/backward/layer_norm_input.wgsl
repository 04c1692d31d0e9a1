// Gradient of a layer norm, or of an RMS norm, by row r of what it normalised, as backward/layer_norm.wgsl says.
// #write dx: vec4f
// #read dOut, x, gamma: vec4f; stats: f32
// #params width (C / 4), gammaOffset, accumulate, centred: u32

fn byInput(p: u32, r: u32) {
  if (r >= rowCount(p)) { return; }
  let width = params.width;
  let fromOut = p * params.dOutStride + r * width;
  let fromX = p * params.xStride + r * width;
  let to = p * params.dxStride + r * width;
  let g = p * params.gammaStride + params.gammaOffset;
  let s = p * params.statsStride + 2u * r;
  let mean = stats[s];
  let rstd = stats[s + 1u];

  var sum = vec4f();
  var product = vec4f();
  for (var c = 0u; c < width; c++) {
    let d = dOut[fromOut + c] * gamma[g + c];
    sum += d;
    product += d * ((x[fromX + c] - mean) * rstd);
  }
  let channels = f32(4u * width);
  let meanSum = select(0.0, (sum.x + sum.y + sum.z + sum.w) / channels, params.centred != 0u);
  let meanProduct = (product.x + product.y + product.z + product.w) / channels;
  for (var c = 0u; c < width; c++) {
    let normal = (x[fromX + c] - mean) * rstd;
    var value = rstd * (dOut[fromOut + c] * gamma[g + c] - meanSum - normal * meanProduct);
    if (params.accumulate != 0u) { value += dx[to + c]; }
    dx[to + c] = value;
  }
}
