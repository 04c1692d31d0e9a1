// Gradient of a layer norm by its scale and shift, or of an RMS norm by its scale.
// Per chunk of 16 trajectories: dGamma = Σ dOut·x̂, dBeta = Σ dOut over the chunk's rows, x̂ = (x − mean)·rstd.
// dOut, x [P,R,C], stats [P,R,2], partials [P,chunks,N]. One thread per chunk and four channels, rows in order.
// Sizes: THREADS of a workgroup. Floor: 8·R·C bytes, 4·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/layout.wgsl"

struct Params {
  gridWidth: u32,
  partialsStride: u32,
  dOutStride: u32,
  xStride: u32,
  statsStride: u32,
  startStride: u32,
  chunkStride: u32, // N / 4
  chunks: u32,
  sequences: u32,
  width: u32, // C / 4
  gammaOffset: u32,
  betaOffset: u32,
  centred: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> partials: array<vec4f>;
@group(0) @binding(2) var<storage, read> dOut: array<vec4f>;
@group(0) @binding(3) var<storage, read> x: array<vec4f>;
@group(0) @binding(4) var<storage, read> stats: array<f32>;
@group(0) @binding(5) var<storage, read> start: array<u32>;

@compute @workgroup_size($THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = group.z;
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
