// Gradient of a layer norm by its scale and shift, or of an RMS norm by its scale.
// Per chunk of 16 trajectories: dGamma = Σ dOut·x̂, dBeta = Σ dOut over the chunk's rows, x̂ = (x − mean)·rstd.
// dOut, x [P,R,C], stats [P,R,2], partials [P,chunks,N]. One thread per chunk and four channels, rows in order.
// Sizes: THREADS of a workgroup. Floor: 8·R·C bytes, 4·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"

// #write partials: vec4f
// #read dOut, x: vec4f; stats: f32; start: u32
// #params chunkStride (N / 4), chunks, sequences, width (C / 4), gammaOffset, betaOffset, centred: u32

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * $THREADSu + lane;
  let c = i % params.width;
  let chunk = i / params.width;
  if (chunk >= params.chunks) { return; }
  let first = chunk * GRADIENT_CHUNK;
  let end = start[p * params.startStride + min(first + GRADIENT_CHUNK, params.sequences)];
  var dGamma = vec4f();
  var dBeta = vec4f();
  for (var r = start[p * params.startStride + first]; r < end; r++) {
    let s = p * params.statsStride + 2u * r;
    let d = dOut[p * params.dOutStride + r * params.width + c];
    dGamma += d * ((x[p * params.xStride + r * params.width + c] - stats[s]) * stats[s + 1u]);
    dBeta += d;
  }
  let to = p * params.partialsStride + chunk * params.chunkStride + c;
  partials[to + params.gammaOffset] = dGamma;
  if (params.centred != 0u) { partials[to + params.betaOffset] = dBeta; }
}
