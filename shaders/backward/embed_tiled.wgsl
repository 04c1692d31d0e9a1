// Gradient of the embeddings of tokens and positions, on GPUs.
// backward/embed.wgsl with a workgroup for each chunk, token or position, and 8 quads of channels: 8 threads a quad
// take every eighth row (of a position, every eighth trajectory), and their sums are added in order. Floor: 4·R·C bytes
// for positions, V·R token reads for tokens; 2·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"

// #write partials: vec4f
// #read dx: vec4f; table: vec4u; start: u32
// #params chunkStride (N / 4), chunks, sequences, width (C / 4), vocabulary: u32
// #params context (0 without positions), tokensOffset, positionsOffset: u32

var<workgroup> parts: array<vec4f, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let line = lineOf(group);
  let blocks = (params.width + 7u) / 8u;
  let entries = params.vocabulary + params.context;
  let c = line % blocks * 8u + lane % 8u;
  let entry = line / blocks % entries;
  let chunk = line / (blocks * entries);
  let isUsed = chunk < params.chunks && c < params.width;
  let firstSequence = chunk * GRADIENT_CHUNK;
  let lastSequence = min(firstSequence + GRADIENT_CHUNK, params.sequences);
  let starts = p * params.startStride;
  let base = p * params.dxStride + c;
  var sum = vec4f();
  if (isUsed && entry < params.vocabulary) {
    let end = start[starts + lastSequence];
    for (var r = start[starts + firstSequence] + lane / 8u; r < end; r += 8u) {
      if (table[p * params.tableStride + r].x == entry) { sum += dx[base + r * params.width]; }
    }
  } else if (isUsed) {
    for (var s = firstSequence + lane / 8u; s < lastSequence; s += 8u) {
      let r = start[starts + s] + entry - params.vocabulary;
      if (r < start[starts + s + 1u]) { sum += dx[base + r * params.width]; }
    }
  }
  parts[lane] = sum;
  workgroupBarrier();
  if (lane >= 8u || !isUsed) { return; }
  for (var i = lane + 8u; i < 64u; i += 8u) { sum += parts[i]; }
  var to = params.tokensOffset + entry * params.width;
  if (entry >= params.vocabulary) { to = params.positionsOffset + (entry - params.vocabulary) * params.width; }
  partials[p * params.partialsStride + chunk * params.chunkStride + to + c] = sum;
}
