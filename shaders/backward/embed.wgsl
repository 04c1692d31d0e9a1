// Gradient of the embeddings of tokens and positions.
// Per chunk of 16 trajectories: dTokens[v] = Σ dx over the chunk's rows with token v, dPositions[t] = Σ dx over its
// rows at position t (row start[s] + t of each trajectory s). dx [P,R,C], partials [P,chunks,N]. One thread per (chunk,
// `span` tokens or one position, four channels) reads the chunk's rows in order: no atomics, a fixed order. For
// software adapters, which have few threads: every span reads all tokens of the chunk. Floor: 4·R·C bytes for
// positions, V/span·R token reads for tokens; 2·R·C flops.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"

// #write partials: vec4f
// #read dx: vec4f; table: vec4u; start: u32
// #params chunkStride (N / 4), chunks, sequences, width (C / 4), vocabulary, span, context (0 without positions): u32
// #params tokensOffset, positionsOffset: u32

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let p = memberOf(group);
  let i = lineOf(group) * 64u + lane;
  let c = i % params.width;
  let spans = (params.vocabulary + params.span - 1u) / params.span;
  let entries = spans + params.context;
  let entry = (i / params.width) % entries;
  let chunk = i / (params.width * entries);
  if (chunk >= params.chunks) { return; }
  let firstSequence = chunk * GRADIENT_CHUNK;
  let lastSequence = min(firstSequence + GRADIENT_CHUNK, params.sequences);
  let starts = p * params.startStride;
  let base = p * params.dxStride + c;
  let to = p * params.partialsStride + chunk * params.chunkStride + c;
  if (entry < spans) {
    let first = entry * params.span;
    let past = min(first + params.span, params.vocabulary);
    let tokens = to + params.tokensOffset;
    for (var v = first; v < past; v++) { partials[tokens + v * params.width] = vec4f(); }
    let end = start[starts + lastSequence];
    for (var r = start[starts + firstSequence]; r < end; r++) {
      let v = table[p * params.tableStride + r].x;
      if (v >= first && v < past) { partials[tokens + v * params.width] += dx[base + r * params.width]; }
    }
    return;
  }
  let t = entry - spans;
  var sum = vec4f();
  for (var s = firstSequence; s < lastSequence; s++) {
    let r = start[starts + s] + t;
    if (r < start[starts + s + 1u]) { sum += dx[base + r * params.width]; }
  }
  partials[to + params.positionsOffset + t * params.width] = sum;
}
