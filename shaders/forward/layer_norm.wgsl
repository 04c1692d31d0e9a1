// Normalises each row, then scales and shifts it.
// out = gamma·(x − mean)·rstd + beta, rstd = 1/√(variance + ε), over the last axis (arXiv 1607.06450); not centred,
// RMS norm (arXiv 1910.07467): the mean is taken for 0, and there is no beta. x, out [P,R,C]; stats [P,R,2] = (mean,
// rstd). One thread per row, no barriers. Floor: 8·R·C bytes, 8·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"

// #write out: vec4f; stats: f32
// #read x, gamma, beta: vec4f
// #params width (C / 4), gammaOffset, betaOffset, centred: u32; epsilon: f32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let r = lineOf(group) * 64u + lane;
  if (r >= rowCount(p)) { return; }
  let width = params.width;
  let base = p * params.xStride + r * width;
  let channels = f32(4u * width);

  var sum = vec4f();
  if (params.centred != 0u) {
    for (var c = 0u; c < width; c++) { sum += x[base + c]; }
  }
  let mean = (sum.x + sum.y + sum.z + sum.w) / channels;
  var squares = vec4f();
  for (var c = 0u; c < width; c++) {
    let d = x[base + c] - mean;
    squares += d * d;
  }
  let rstd = 1.0 / sqrt((squares.x + squares.y + squares.z + squares.w) / channels + params.epsilon);

  let to = p * params.outStride + r * width;
  let g = p * params.gammaStride + params.gammaOffset;
  let b = p * params.betaStride + params.betaOffset;
  for (var c = 0u; c < width; c++) {
    var value = gamma[g + c] * ((x[base + c] - mean) * rstd);
    if (params.centred != 0u) { value += beta[b + c]; }
    out[to + c] = value;
  }
  let s = p * params.statsStride + 2u * r;
  stats[s] = mean;
  stats[s + 1u] = rstd;
}
