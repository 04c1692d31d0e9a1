// Gradients of a layer norm by what it normalised, by its scale and by its shift, on GPUs.
// backward/layer_norm.wgsl and, with WEIGHTS 1, backward/layer_norm_weight.wgsl in one dispatch. The first
// workgroups are for dx: one thread per row, or 32 from 128 channels on. Each of the others sums dGamma and dBeta of
// one chunk of 16 trajectories and 8 quads of channels: 8 threads a quad take every eighth row, and their sums are
// added in order. Floor: 20·R·C bytes, 14·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/count.wgsl"
// #include "lib/layout.wgsl"
// #include "backward/layer_norm_input.wgsl"
// #include "backward/layer_norm_rows.wgsl"

// #params rowGroups (workgroups for dx), shares (threads share a row): u32
// #repeat w WEIGHTS
// #write partials: vec4f
// #read start: u32
// #params chunkStride (N / 4), chunks, sequences, gammaGradient, betaOffset: u32

var<workgroup> gammaParts: array<vec4f, 64>;
var<workgroup> betaParts: array<vec4f, 64>;

// In every thread of the workgroup, because of the barrier.
fn byWeights(p: u32, block: u32, lane: u32) {
  let across = (params.width + 7u) / 8u;
  let chunk = block / across;
  let c = block % across * 8u + lane % 8u;
  let first = chunk * GRADIENT_CHUNK;
  var dGamma = vec4f();
  var dBeta = vec4f();
  if (chunk < params.chunks && c < params.width) {
    let end = start[p * params.startStride + min(first + GRADIENT_CHUNK, params.sequences)];
    for (var r = start[p * params.startStride + first] + lane / 8u; r < end; r += 8u) {
      let s = p * params.statsStride + 2u * r;
      let d = dOut[p * params.dOutStride + r * params.width + c];
      dGamma += d * ((x[p * params.xStride + r * params.width + c] - stats[s]) * stats[s + 1u]);
      dBeta += d;
    }
  }
  gammaParts[lane] = dGamma;
  betaParts[lane] = dBeta;
  workgroupBarrier();
  if (lane >= 8u || chunk >= params.chunks || c >= params.width) { return; }
  for (var i = lane + 8u; i < 64u; i += 8u) {
    dGamma += gammaParts[i];
    dBeta += betaParts[i];
  }
  let to = p * params.partialsStride + chunk * params.chunkStride + c;
  partials[to + params.gammaGradient] = dGamma;
  if (params.centred != 0u) { partials[to + params.betaOffset] = dBeta; }
}
// #end

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let line = lineOf(group);
  if (line < params.rowGroups && params.shares == 0u) { byInput(memberOf(group), line * 64u + lane); }
  if (line < params.rowGroups && params.shares != 0u) { byRows(memberOf(group), line * 2u, lane); }
  // #repeat w WEIGHTS
  if (line >= params.rowGroups) { byWeights(memberOf(group), line - params.rowGroups, lane); }
  // #end
}
