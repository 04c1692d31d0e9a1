// Gradient of a layer norm, or of an RMS norm, by what it normalised.
// dx (=|+=) rstd·(g − mean(g) − x̂·mean(g·x̂)), g = dOut·gamma, x̂ = (x − mean)·rstd. All [P,R,C], stats [P,R,2].
// Not centred (RMS norm): the mean is 0 and without mean(g).
// One thread per row, no barriers. Floor: 12·R·C bytes, 10·R·C flops. dGamma, dBeta: backward/layer_norm_weight.wgsl.
// #include "lib/grid.wgsl"
// #include "lib/count.wgsl"

// #write dx: vec4f
// #read dOut, x: vec4f; stats: f32; gamma: vec4f
// #params width (C / 4), gammaOffset, accumulate, centred: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
  let r = lineOf(group) * 64u + lane;
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
