// Gradient of the critic’s value.
// dHidden[r − 1] += dValue[r]·weight; per chunk of 16 trajectories dWeight = Σ dValue[r]·hidden[r − 1] and dBias =
// Σ dValue[r], over target rows (position > 0). dValue [P,R], hidden, dHidden [P,R,C], partials [P,chunks,N]. One
// thread per (chunk, channel), rows in order: a thread owns its channel of dHidden. Floor: 12·R·C bytes.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"

// #write dHidden, partials: f32
// #read dValue, hidden, weight: f32; table: vec4u; start: u32
// #params chunkStride (N), chunks, sequences, width (C), weightOffset, weightGradient, biasOffset: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let c = i % params.width;
  let chunk = i / params.width;
  if (chunk >= params.chunks) { return; }
  let first = chunk * GRADIENT_CHUNK;
  let end = start[p * params.startStride + min(first + GRADIENT_CHUNK, params.sequences)];
  let w = weight[p * params.weightStride + params.weightOffset + c];
  var byWeight = 0.0;
  var byBias = 0.0;
  for (var r = start[p * params.startStride + first]; r < end; r++) {
    let d = dValue[p * params.dValueStride + r];
    if (d == 0.0 || table[p * params.tableStride + r].y == 0u) { continue; }
    byWeight += d * hidden[p * params.hiddenStride + (r - 1u) * params.width + c];
    byBias += d;
    dHidden[p * params.dHiddenStride + (r - 1u) * params.width + c] += d * w;
  }
  let to = p * params.partialsStride + chunk * params.chunkStride;
  partials[to + params.weightGradient + c] = byWeight;
  if (c == 0u) { partials[to + params.biasOffset] = byBias; }
}
