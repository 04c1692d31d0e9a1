// Bindings and parameters that both variants of backward/linear_weight.wgsl share.
// #include "lib/grid.wgsl"
// #include "lib/member.wgsl"
// #include "lib/layout.wgsl"
// #include "lib/activation.wgsl"

// #write partials: vec4f
// #read x, dOut: vec4f; start: u32
// #params chunkStride (parameters of a member / 4), chunks, sequences, inner (K / 4), width (N / 4): u32
// #params weightOffset, biasOffset, hasBias, activation: u32

// First row of the chunk and the row after its last.
fn chunkRows(p: u32, chunk: u32) -> vec2u {
  let first = chunk * GRADIENT_CHUNK;
  let base = p * params.startStride;
  return vec2u(start[base + first], start[base + min(first + GRADIENT_CHUNK, params.sequences)]);
}
